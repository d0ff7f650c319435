module {
  func.func @main(%arg0: memref<f32>, %arg1: memref<4xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.transfer_read %arg0[], %cst : memref<f32>, vector<f32>
    %1 = vector.extract %0[] : f32 from vector<f32>
    %2 = vector.broadcast %0 : vector<f32> to vector<4xf32>
    %c0 = arith.constant 0 : index
    vector.transfer_write %2, %arg1[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
    %3 = arith.addf %1, %1 : f32
    %4 = vector.broadcast %3 : f32 to vector<f32>
    vector.transfer_write %4, %arg0[] : vector<f32>, memref<f32>
    return
  }
}
