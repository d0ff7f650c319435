func.func @k(%A: memref<32xf32>, %C: memref<32xf32> {tw.output}) {
  loop.for %i = 0 to 4 {
    %B = loop.alloc : memref<32xf32, "local">
    loop.for %j = 0 to 8 {
      loop.block "B" (%vj = spatial(%i * 8 + %j) in 32) {
        %a = loop.load %A[%vj] : memref<32xf32>
        loop.store %a, %B[%vj] : memref<32xf32, "local">
      }
    }
    loop.for %j = 0 to 8 {
      loop.block "C" (%vj = spatial(%i * 8 + %j) in 32) {
        %b = loop.load %B[%vj] : memref<32xf32, "local">
        loop.store %b, %C[%vj] : memref<32xf32>
      }
    }
  }
  func.return
}
