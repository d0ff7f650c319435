module {
  func.func @main(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg2 = %c0 to %dim step %c4 {
      scf.for %arg3 = %c0 to %dim_0 step %c8 {
        %0 = vector.transfer_read %arg0[%arg2, %arg3], %cst : memref<?x?xf32>, vector<4x8xf32>
        %1 = math.exp %0 : vector<4x8xf32>
        vector.transfer_write %1, %arg1[%arg2, %arg3] : vector<4x8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
