module {
  func.func @main(%arg0: vector<2x4xf32>, %arg1: vector<4xf32>) -> (vector<2x4xf32>, vector<2xf32>) {
    %0 = vector.broadcast %arg1 : vector<4xf32> to vector<2x4xf32>
    %1 = arith.mulf %arg0, %0 : vector<2x4xf32>
    %cst = arith.constant dense<0.000000e+00> : vector<2xf32>
    %2 = vector.multi_reduction <add>, %1, %cst [1] : vector<2x4xf32> to vector<2xf32>
    return %1, %2 : vector<2x4xf32>, vector<2xf32>
  }
}
