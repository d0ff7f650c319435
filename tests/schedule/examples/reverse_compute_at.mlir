func.func @main(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
  %B = loop.alloc : memref<64xf32>
  loop.for %io = 0 to 16 {
    loop.for %ii = 0 to 4 {
      loop.block "B" (%vi = spatial(%io * 4 + %ii) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        loop.store %a, %B[%vi] : memref<64xf32>
      }
    }
  }
  loop.for %j = 0 to 64 {
    loop.block "C" (%vj = spatial(%j) in 64) {
      %b = loop.load %B[%vj] : memref<64xf32>
      loop.store %b, %C[%vj] : memref<64xf32>
    }
  }
  func.return
}
