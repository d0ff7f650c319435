func.func @main(%A: memref<30xi64>, %n: index) {
  affine.for %i = 0 to 30 {
    %0:3 = affine.delinearize_index %i into (3, 4) : index, index, index
    %j = affine.linearize_index [%0#0, %0#1, %0#2] by (9, 3, 4) : index
    %k = affine.linearize_index [%0#2, %n] by (7) : index
    %x = arith.index_cast %k : index to i64
    memref.store %x, %A[%j] : memref<30xi64>
  }
  return
}
