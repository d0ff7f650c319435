func.func @f(%A: memref<4x8xf32>, %B: memref<8x8xf32>) {
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 8 {
      loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 8) {
        %a = loop.load %A[%vi floordiv 2, %vj] : memref<4x8xf32>
        loop.store %a, %B[%vi, %vj] : memref<8x8xf32>
      }
    }
  }
  func.return
}
