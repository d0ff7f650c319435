func.func @k(%X: memref<8xf32>, %P: memref<10xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 10 {
    loop.block "P" (%vi = spatial(%i) in 10) {
      %x = loop.load %X[%vi - 1] where (%vi - 1 >= 0, %vi < 9) else %zero : memref<8xf32>
      loop.store %x, %P[%vi] : memref<10xf32>
    }
  }
  func.return
}
