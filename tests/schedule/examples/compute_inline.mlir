func.func @main(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
  %B = loop.alloc : memref<64xf32>
  loop.for %i = 0 to 64 {
    loop.block "B" (%vi = spatial(%i) in 64) {
      %a = loop.load %A[%vi] : memref<64xf32>
      %b = arith.addf %a, %a : f32
      loop.store %b, %B[%vi] : memref<64xf32>
    }
  }
  loop.for %j = 0 to 64 {
    loop.block "C" (%vj = spatial(%j) in 64) {
      %x = loop.load %B[%vj] : memref<64xf32>
      loop.store %x, %C[%vj] : memref<64xf32>
    }
  }
  func.return
}
