// A transposed copy, then a product with what was copied. Each iteration reads what it wrote itself.
func.func @turn_and_scale(%x: memref<1x6x4x8xf32>, %y: memref<1x4x6x8xf32>, %gain: memref<1x1x6x8xf32>) {
  affine.for %i0 = 0 to 1 {
    affine.for %i1 = 0 to 4 {
      affine.for %i2 = 0 to 6 {
        affine.for %i3 = 0 to 8 {
          %val = affine.load %x[%i0, %i2, %i1, %i3] : memref<1x6x4x8xf32>
          affine.store %val, %y[%i0, %i1, %i2, %i3] : memref<1x4x6x8xf32>
        }
      }
    }
  }
  affine.for %i0 = 0 to 1 {
    affine.for %i1 = 0 to 4 {
      affine.for %i2 = 0 to 6 {
        affine.for %i3 = 0 to 8 {
          %val = affine.load %y[%i0, %i1, %i2, %i3] : memref<1x4x6x8xf32>
          %w = affine.load %gain[%i0, 0, %i2, %i3] : memref<1x1x6x8xf32>
          %r = arith.mulf %val, %w : f32
          affine.store %r, %y[%i0, %i1, %i2, %i3] : memref<1x4x6x8xf32>
        }
      }
    }
  }
  return
}
