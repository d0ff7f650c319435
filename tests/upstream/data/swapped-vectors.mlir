module {
  func.func @main(%arg0: memref<2x2xf32>, %arg1: memref<2x2xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg2, %c0 : memref<?xf32>
    %0 = vector.load %arg0[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
    %1 = vector.load %arg1[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
    %2:2 = scf.for %arg3 = %c0 to %dim step %c1 iter_args(%arg4 = %0, %arg5 = %1) -> (vector<2x2xf32>, vector<2x2xf32>) {
      %3 = vector.transpose %arg4, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
      scf.yield %arg5, %3 : vector<2x2xf32>, vector<2x2xf32>
    }
    vector.store %2#0, %arg0[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
    vector.store %2#1, %arg1[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
    return
  }
}
