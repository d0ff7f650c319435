func.func @main(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    loop.block "B" (%vi = spatial(%i) in 64) {
      %a = loop.load %A[%vi] : memref<64xf32>
      loop.store %a, %B[%vi] : memref<64xf32>
    }
  }
  func.return
}
