func.func @f(%B: memref<4xf32> {tw.output}) {
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 4 {
    loop.block "B" (%vi = spatial(%i) in 4) {
      loop.store %one, %B[%vi] : memref<4xf32>
    }
  }
  func.return
}
