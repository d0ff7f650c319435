// A buffer is scaled in place, then the first half of it is copied out.
func.func @scale_then_take(%whole: memref<6xf32>, %part: memref<3xf32>, %factor: f32) {
  affine.for %i = 0 to 6 {
    %0 = affine.load %whole[%i] : memref<6xf32>
    %1 = arith.mulf %0, %factor : f32
    affine.store %1, %whole[%i] : memref<6xf32>
  }
  affine.for %i = 0 to 3 {
    %0 = affine.load %whole[%i] : memref<6xf32>
    affine.store %0, %part[%i] : memref<3xf32>
  }
  return
}
