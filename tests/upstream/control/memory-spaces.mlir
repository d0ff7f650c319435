memref.global constant @w : memref<4xf32, 1> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func private @twice(%a: memref<4xf32, 2>, %b: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %a[%i] : memref<4xf32, 2>
    %y = arith.addf %x, %x : f32
    affine.store %y, %b[%i] : memref<4xf32>
  }
  return
}
func.func @main(%A: memref<4xf32, 1>, %B: memref<4xf32>) {
  %w = memref.get_global @w : memref<4xf32, 1>
  %t = memref.alloc() : memref<4xf32, 2>
  affine.for %i = 0 to 4 {
    %x = affine.load %A[%i] : memref<4xf32, 1>
    %y = affine.load %w[%i] : memref<4xf32, 1>
    %z = arith.mulf %x, %y : f32
    affine.store %z, %t[%i] : memref<4xf32, 2>
  }
  call @twice(%t, %B) : (memref<4xf32, 2>, memref<4xf32>) -> ()
  %c = memref.memory_space_cast %B : memref<4xf32> to memref<4xf32, 3>
  %one = arith.constant 1.0 : f32
  affine.store %one, %c[0] : memref<4xf32, 3>
  memref.dealloc %t : memref<4xf32, 2>
  return
}
