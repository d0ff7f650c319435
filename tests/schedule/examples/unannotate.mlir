func.func @main(%B: memref<64xf32> {tw.output}) {
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 64 attributes {stage = 2 : i64} {
    loop.block "B" (%vi = spatial(%i) in 64) {
      loop.store %one, %B[%vi] : memref<64xf32>
    }
  }
  func.return
}
