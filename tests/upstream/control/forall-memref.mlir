func.func @main(%A: memref<8x12xf32>, %B: memref<8x12xf32>, %C: memref<8x12xf32>) {
  %c12 = arith.constant 12 : index
  scf.forall (%i, %j) in (8, %c12) {
    %a = memref.load %A[%i, %j] : memref<8x12xf32>
    memref.store %a, %B[%i, %j] : memref<8x12xf32>
  }
  scf.forall (%i, %j) = (1, 0) to (8, 12) step (3, 2) {
    %a = memref.load %A[%i, %j] : memref<8x12xf32>
    memref.store %a, %C[%i, %j] : memref<8x12xf32>
  }
  return
}
