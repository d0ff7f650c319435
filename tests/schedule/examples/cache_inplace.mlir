func.func @f(%A: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    loop.block "A" (%vi = spatial(%i) in 8) {
      %a = loop.load %A[%vi] : memref<8xf32>
      %b = arith.addf %a, %a : f32
      loop.store %b, %A[%vi] : memref<8xf32>
    }
  }
  func.return
}
