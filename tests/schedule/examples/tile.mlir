func.func @main(%A: memref<16x16xf32>, %B: memref<16x16xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    loop.for %j = 0 to 16 {
      loop.block "B" (%vi = spatial(%i) in 16, %vj = spatial(%j) in 16) {
        %a = loop.load %A[%vi, %vj] : memref<16x16xf32>
        loop.store %a, %B[%vj, %vi] : memref<16x16xf32>
      }
    }
  }
  func.return
}
