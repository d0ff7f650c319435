func.func @main(%A: memref<64x64xf32>, %C: memref<64xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 64 {
    loop.for %k = 0 to 64 {
      loop.block "C" (%vi = spatial(%i) in 64, %vk = reduce(%k) in 64) {
        loop.init {
          loop.store %zero, %C[%vi] : memref<64xf32>
        }
        %a = loop.load %A[%vi, %vk] : memref<64x64xf32>
        %c = loop.load %C[%vi] : memref<64xf32>
        %s = arith.addf %c, %a : f32
        loop.store %s, %C[%vi] : memref<64xf32>
      }
    }
  }
  func.return
}
