func.func @main(%A: memref<30xf32>, %B: memref<30xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c30 = arith.constant 30 : index
  %m1 = arith.constant -1 : index
  scf.for %i = %c0 to %c30 step %c1 {
    %0 = arith.remsi %i, %c3 : index
    %1 = arith.cmpi slt, %0, %c0 : index
    %2 = arith.addi %0, %c3 : index
    %r = arith.select %1, %2, %0 : index
    %3 = arith.cmpi slt, %i, %c0 : index
    %4 = arith.subi %m1, %i : index
    %5 = arith.select %3, %4, %i : index
    %6 = arith.divsi %5, %c3 : index
    %7 = arith.subi %m1, %6 : index
    %q = arith.select %3, %7, %6 : index
    %8 = arith.muli %q, %c3 overflow<nsw> : index
    %9 = arith.addi %8, %r : index
    %a = memref.load %A[%9] : memref<30xf32>
    memref.store %a, %B[%i] : memref<30xf32>
  }
  return
}
