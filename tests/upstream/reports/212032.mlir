// The first loop reads a[1] in all iterations, and the second one writes a[1] in its first.
module {
  func.func @carry(%a: memref<3xf32>, %c: memref<3xf32>, %t: memref<3xf32>) {
    affine.for %p = 1 to 3 {
      %av = affine.load %a[1] : memref<3xf32>
      %cv = affine.load %c[%p] : memref<3xf32>
      %r = arith.addf %av, %cv : f32
      affine.store %r, %t[%p] : memref<3xf32>
    }
    affine.for %p = 1 to 3 {
      %r = affine.load %t[%p] : memref<3xf32>
      affine.store %r, %a[%p] : memref<3xf32>
    }
    return
  }
}
