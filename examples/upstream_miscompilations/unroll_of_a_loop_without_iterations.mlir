// mlir-opt --pass-pipeline='builtin.module(func.func(affine-loop-unroll{unroll-factor=4}))'
//
// The loop has no iterations where %n is 4 or less. The loop that the pass adds for the rest begins at
// (%n floordiv 4) * 4, which is 0 for %n = 3, and writes %a[0] to %a[2]. The number of iterations is taken for
// positive when the bound is computed.
func.func @fill_from_four(%size: memref<?xi32>, %a: memref<8xi32>, %value: i32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %size, %c0 : memref<?xi32>
  affine.for %i = 4 to %n {
    affine.store %value, %a[%i] : memref<8xi32>
  }
  return
}
