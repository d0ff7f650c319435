func.func @main(%B: memref<64x4xf32> {tw.output}) {
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 64 {
    loop.for %j = 0 to 4 {
      loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 4) {
        loop.store %one, %B[%vi, %vj] : memref<64x4xf32>
      }
    }
  }
  func.return
}
