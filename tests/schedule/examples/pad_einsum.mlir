func.func @k(%A: memref<5x7xf32>, %B: memref<5xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 5 {
    loop.for %k = 0 to 7 {
      loop.block "B" (%vi = spatial(%i) in 5, %vk = reduce(%k) in 7) {
        loop.init {
          loop.store %zero, %B[%vi] : memref<5xf32>
        }
        %a = loop.load %A[%vi, %vk] : memref<5x7xf32>
        %b = loop.load %B[%vi] : memref<5xf32>
        %s = arith.addf %b, %a : f32
        loop.store %s, %B[%vi] : memref<5xf32>
      }
    }
  }
  func.return
}
