func.func @main(%A: memref<20xf32>, %B: memref<20xf32>, %C: memref<20xi64>) {
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c19 = arith.constant 19 : i32
  scf.for %i = %c1 to %c19 step %c3 : i32 {
    %j = arith.addi %i, %c1 overflow<nsw> : i32
    %x = arith.index_cast %i : i32 to index
    %y = arith.index_cast %j : i32 to index
    %a = memref.load %A[%x] : memref<20xf32>
    memref.store %a, %B[%y] : memref<20xf32>
    %w = arith.extsi %j : i32 to i64
    %z = arith.index_castui %i : i32 to index
    memref.store %w, %C[%z] : memref<20xi64>
  }
  return
}
