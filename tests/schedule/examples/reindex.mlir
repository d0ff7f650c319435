func.func @k(%A: memref<10xf32>, %B: memref<8xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 {
    loop.for %k = 0 to 3 {
      loop.block "B" (%vi = spatial(%i) in 8, %vk = reduce(%k) in 3) {
        loop.init {
          loop.store %zero, %B[%vi] : memref<8xf32>
        }
        %a = loop.load %A[%vi + %vk] : memref<10xf32>
        %b = loop.load %B[%vi] : memref<8xf32>
        %s = arith.addf %b, %a : f32
        loop.store %s, %B[%vi] : memref<8xf32>
      }
    }
  }
  func.return
}
