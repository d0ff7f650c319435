func.func @main(%A: memref<20xf32>, %B: memref<20xf32>, %s: index) {
  %c0 = arith.constant 0 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c20 step %s {
    %a = memref.load %A[%i] : memref<20xf32>
    memref.store %a, %B[%i] : memref<20xf32>
  }
  return
}
