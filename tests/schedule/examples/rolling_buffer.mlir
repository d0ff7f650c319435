func.func @k(%A: memref<10xf32>, %C: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %B = loop.alloc : memref<10xf32>
    loop.for %j = 0 to 3 {
      loop.block "B" (%vj = spatial(%i + %j) in 10) {
        %a = loop.load %A[%vj] : memref<10xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[%vj] : memref<10xf32>
      }
    }
    loop.block "C" (%vi = spatial(%i) in 8) {
      %x = loop.load %B[%vi] : memref<10xf32>
      %y = loop.load %B[%vi + 2] : memref<10xf32>
      %c = arith.addf %x, %y : f32
      loop.store %c, %C[%vi] : memref<8xf32>
    }
  }
  func.return
}
