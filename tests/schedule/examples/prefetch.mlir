func.func @main(%A: memref<64x32xf32>, %B: memref<64x32xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    loop.for %j = 0 to 32 {
      loop.block "B" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 32) {
        %a = loop.load %A[%vi, %vj] : memref<64x32xf32>
        loop.store %a, %B[%vi, %vj] : memref<64x32xf32>
      }
    }
  }
  func.return
}
