func.func @main(%B: memref<f32> {tw.output}) {
  %one = arith.constant 1.0 : f32
  loop.block "B" () {
    loop.store %one, %B[] : memref<f32>
  }
  func.return
}
