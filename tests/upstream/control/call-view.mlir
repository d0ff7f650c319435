func.func private @fill(%a: memref<4xf32, strided<[2], offset: ?>>) {
  %z = arith.constant 1.0 : f32
  affine.for %i = 0 to 4 { affine.store %z, %a[%i] : memref<4xf32, strided<[2], offset: ?>> }
  return
}
func.func @main(%A: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %v = memref.subview %A[%c1] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: ?>>
  call @fill(%v) : (memref<4xf32, strided<[2], offset: ?>>) -> ()
  return
}
