func.func private @inner(%a: memref<8xf32>, %i: index, %x: f32) -> f32 {
  %old = memref.load %a[%i] : memref<8xf32>
  %s = arith.addf %old, %x : f32
  memref.store %s, %a[%i] : memref<8xf32>
  return %old : f32
}
func.func private @outer(%a: memref<8xf32>, %b: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to 8 {
    %o = func.call @inner(%a, %i, %one) : (memref<8xf32>, index, f32) -> f32
    affine.store %o, %b[%i] : memref<8xf32>
  }
  return
}
func.func @main(%A: memref<8xf32>, %B: memref<8xf32>) {
  call @outer(%A, %B) : (memref<8xf32>, memref<8xf32>) -> ()
  call @outer(%B, %A) : (memref<8xf32>, memref<8xf32>) -> ()
  return
}
