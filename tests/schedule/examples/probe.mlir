func.func @main(%A: memref<8xf32>, %B: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    loop.block "B" (%vi = spatial(%i) in 8) {
      %a = loop.load %A[%vi] : memref<8xf32>
      loop.store %a, %B[%vi] : memref<8xf32>
    }
  }
  func.return
}
