func.func @main(%A: memref<57xf32>, %B: memref<57xf32> {tw.output}) {
  loop.for %i = 0 to 57 {
    loop.block "B" (%vi = spatial(%i) in 57) {
      %a = loop.load %A[%vi] : memref<57xf32>
      loop.store %a, %B[%vi] : memref<57xf32>
    }
  }
  func.return
}
