func.func @main(%A: memref<64xf32>, %B: memref<64xf32>) {
  loop.for %io = 0 to 8 {
    loop.for %ii = 0 to 8 {
      loop.block "B" (%vi = spatial(%io * 8 + %ii) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        loop.store %a, %B[%vi] : memref<64xf32>
      }
    }
  }
  func.return
}
