func.func @k(%A: memref<8x60xf32>, %C: memref<8x60xf32> {tw.output}) {
  %B = loop.alloc : memref<8x60xf32>
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 60 {
      loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 60) {
        %a = loop.load %A[%vi, %vj] : memref<8x60xf32>
        loop.store %a, %B[%vi, %vj] : memref<8x60xf32>
      }
    }
  }
  loop.for %x = 0 to 8 {
    loop.for %y = 0 to 60 {
      loop.block "C" (%vx = spatial(%x) in 8, %vy = spatial(%y) in 60) {
        %b = loop.load %B[%vx, %vy] : memref<8x60xf32>
        loop.store %b, %C[%vx, %vy] : memref<8x60xf32>
      }
    }
  }
  func.return
}
