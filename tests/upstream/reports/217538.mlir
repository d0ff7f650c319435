// A loop writes one element by an affine store and by a plain one.
func.func @fill(%line: memref<4xf32>, %s: f32, %last: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  affine.for %i = 0 to 4 {
    affine.store %s, %line[0] : memref<4xf32>
    memref.store %s, %line[%c0] : memref<4xf32>
  }
  %v = affine.load %line[0] : memref<4xf32>
  affine.store %v, %last[0] : memref<1xf32>
  return
}
