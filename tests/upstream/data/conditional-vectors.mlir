module {
  func.func @main(%arg0: memref<4x4xf32>, %arg1: memref<4x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %0 = vector.load %arg0[%arg2, %c0] : memref<4x4xf32>, vector<1x4xf32>
      %1 = arith.cmpi slt, %arg2, %c2 : index
      %2 = scf.if %1 -> (vector<1x4xf32>) {
        %3 = arith.negf %0 : vector<1x4xf32>
        scf.yield %3 : vector<1x4xf32>
      } else {
        scf.yield %0 : vector<1x4xf32>
      }
      vector.store %2, %arg1[%arg2, %c0] : memref<4x4xf32>, vector<1x4xf32>
    }
    return
  }
}
