func.func @main(%A: memref<57xf32>, %B: memref<57xf32> {tw.output}) {
  loop.for %io = 0 to 8 {
    loop.for %ii = 0 to 8 {
      loop.block "B" (%vi = spatial(%io * 8 + %ii) in 57) where (%io * 8 + %ii < 57) {
        %a = loop.load %A[%vi] : memref<57xf32>
        loop.store %a, %B[%vi] : memref<57xf32>
      }
    }
  }
  func.return
}
