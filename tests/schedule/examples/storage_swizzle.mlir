func.func @k(%A: memref<8x64xf16>, %C: memref<8x64xf16> {tw.output}) {
  %B = loop.alloc : memref<8x64xf16, "shared">
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 64) {
        %a = loop.load %A[%vi, %vj] : memref<8x64xf16>
        loop.store %a, %B[%vi, %vj] : memref<8x64xf16, "shared">
      }
    }
  }
  loop.for %x = 0 to 8 {
    loop.for %y = 0 to 64 {
      loop.block "C" (%vx = spatial(%x) in 8, %vy = spatial(%y) in 64) {
        %b = loop.load %B[%vx, %vy] : memref<8x64xf16, "shared">
        loop.store %b, %C[%vx, %vy] : memref<8x64xf16>
      }
    }
  }
  func.return
}
