func.func @main(%A: memref<?xi64>, %lo: i64, %hi: i64) {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %end = arith.subi %hi, %one : i64
  scf.for %i = %lo to %end step %two : i64 {
    %x = arith.index_cast %i : i64 to index
    memref.store %i, %A[%x] : memref<?xi64>
  }
  return
}
