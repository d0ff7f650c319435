// The inner loop stores the value that it carries.
func.func @powers(%out: memref<2x5xi64>, %seed: i64) {
  affine.for %i = 0 to 2 {
    %last = affine.for %k = 0 to 5 iter_args(%power = %seed) -> (i64) {
      affine.store %power, %out[%i, %k] : memref<2x5xi64>
      %next = arith.addi %power, %power : i64
      affine.yield %next : i64
    }
  }
  return
}
