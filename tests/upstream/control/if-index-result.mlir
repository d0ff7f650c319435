func.func @main(%A: memref<16xf32>, %B: memref<16xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %less = arith.cmpi slt, %n, %c16 : index
  %end = scf.if %less -> (index) {
    scf.yield %n : index
  } else {
    scf.yield %c16 : index
  }
  scf.for %i = %c0 to %end step %c1 {
    %a = memref.load %A[%i] : memref<16xf32>
    memref.store %a, %B[%i] : memref<16xf32>
  }
  return
}
