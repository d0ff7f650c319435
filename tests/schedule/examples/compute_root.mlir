func.func @main(%A: memref<64xf32>, %C: memref<64xf32> {tw.output}) {
  loop.for %jo = 0 to 16 {
    %B = loop.alloc : memref<64xf32>
    loop.for %i = 0 to 4 {
      loop.block "B" (%vi = spatial(%jo * 4 + %i) in 64) {
        %a = loop.load %A[%vi] : memref<64xf32>
        loop.store %a, %B[%vi] : memref<64xf32>
      }
    }
    loop.for %ji = 0 to 4 {
      loop.block "C" (%vj = spatial(%jo * 4 + %ji) in 64) {
        %b = loop.load %B[%vj] : memref<64xf32>
        loop.store %b, %C[%vj] : memref<64xf32>
      }
    }
  }
  func.return
}
