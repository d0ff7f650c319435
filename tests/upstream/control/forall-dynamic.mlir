func.func @main(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %s: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  scf.forall (%i, %j) = (0, %c1) to (%n, %m) step (%s, 2) {
    %a = memref.load %A[%i, %j] : memref<?x?xf32>
    memref.store %a, %B[%i, %j] : memref<?x?xf32>
  }
  return
}
