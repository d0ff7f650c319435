// mlir-opt --pass-pipeline='builtin.module(func.func(affine-data-copy-generate{fast-mem-space=0}))'
//
// The region that is written is taken to be the whole range of the loop, and the fast buffer is not filled before since
// nothing reads it. The condition leaves five of its elements unwritten; the copy back replaces %b[3] to %b[7] by them.
func.func @first_three(%a: memref<8xi32>, %b: memref<8xi32>) {
  affine.for %i = 0 to 8 {
    affine.if affine_set<(d0) : (2 - d0 >= 0)>(%i) {
      %0 = affine.load %a[%i] : memref<8xi32>
      affine.store %0, %b[%i] : memref<8xi32>
    }
  }
  return
}
