func.func @main(%A: memref<12xf32>, %B: memref<12xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c11 = arith.constant 11 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %c12 step %c1 {
    %c = arith.cmpi sge, %i, %n : index
    %r = arith.subi %c11, %i : index
    %j = arith.select %c, %r, %i : index
    %a = memref.load %A[%j] : memref<12xf32>
    memref.store %a, %B[%i] : memref<12xf32>
  }
  return
}
