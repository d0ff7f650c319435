func.func @k(%A: memref<8x12xf32>, %B: memref<8x12xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 12 {
      loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 12) {
        %a = loop.load %A[%vi, %vj] : memref<8x12xf32>
        loop.store %a, %B[%vi, %vj] : memref<8x12xf32>
      }
    }
  }
  func.return
}
