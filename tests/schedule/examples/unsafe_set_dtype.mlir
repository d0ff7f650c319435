func.func @k(%A: memref<8xf32>, %C: memref<8xf32> {tw.output}) {
  %B = loop.alloc : memref<8xf32>
  loop.for %i = 0 to 8 {
    loop.block "B" (%vi = spatial(%i) in 8) {
      %a = loop.load %A[%vi] : memref<8xf32>
      loop.store %a, %B[%vi] : memref<8xf32>
    }
  }
  loop.for %x = 0 to 8 {
    loop.block "C" (%vx = spatial(%x) in 8) {
      %b = loop.load %B[%vx] : memref<8xf32>
      loop.store %b, %C[%vx] : memref<8xf32>
    }
  }
  func.return
}
