func.func @main(%A: memref<?xf32>, %n: i32, %m: i64, %B: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %hi = arith.index_cast %n : i32 to index
  %lo = arith.index_cast %m : i64 to index
  scf.for %i = %lo to %hi step %c1 {
    %a = memref.load %A[%i] : memref<?xf32>
    memref.store %a, %B[%i] : memref<?xf32>
  }
  return
}
