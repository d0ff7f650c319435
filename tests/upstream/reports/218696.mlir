// A frame of zeros around a picture: a fill, a copy into the middle, a loop that reads all.
func.func @frame(%picture: memref<3xf32>, %result: memref<5xf32>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %framed = memref.alloc() : memref<5xf32>
  affine.for %i = 0 to 5 {
    affine.store %zero, %framed[%i] : memref<5xf32>
  }
  %inner = memref.subview %framed[1] [3] [1] : memref<5xf32> to memref<3xf32, strided<[1], offset: 1>>
  memref.copy %picture, %inner : memref<3xf32> to memref<3xf32, strided<[1], offset: 1>>
  affine.for %i = 0 to 5 {
    %0 = affine.load %framed[%i] : memref<5xf32>
    %1 = arith.addf %0, %one : f32
    affine.store %1, %result[%i] : memref<5xf32>
  }
  return
}
