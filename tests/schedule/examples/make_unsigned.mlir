func.func @k(%A: memref<8xi8>, %C: memref<8xi32> {tw.output}) {
  %B = loop.alloc : memref<8xi8>
  loop.for %i = 0 to 8 {
    loop.block "B" (%vi = spatial(%i) in 8) {
      %a = loop.load %A[%vi] : memref<8xi8>
      loop.store %a, %B[%vi] : memref<8xi8>
    }
  }
  loop.for %x = 0 to 8 {
    loop.block "C" (%vx = spatial(%x) in 8) {
      %b = loop.load %B[%vx] : memref<8xi8>
      %c = arith.extsi %b : i8 to i32
      loop.store %c, %C[%vx] : memref<8xi32>
    }
  }
  func.return
}
