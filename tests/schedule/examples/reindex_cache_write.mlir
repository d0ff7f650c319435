func.func @f(%A: memref<8x4xf32>, %B: memref<8x4xf32>) {
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 4 {
      loop.block "B" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 4) {
        %a = loop.load %A[%vi, %vj] : memref<8x4xf32>
        loop.store %a, %B[%vi, %vj] : memref<8x4xf32>
      }
    }
  }
  func.return
}
