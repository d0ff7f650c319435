// RUN: opt-tool --pass tile %s | filecheck %s

// CASE fires: a contraction on a known target takes its register tile: some rows by one or more vectors, without a tail here.
// CHECK-LABEL: func.func private @matmul(
// CHECK-NEXT:    %zero = arith.constant
// CHECK-NEXT:    loop.for %io = 0 to {{16|24|32|48}} {
// CHECK-NEXT:      loop.for %jo = 0 to {{2|4|8}} {
// CHECK-NEXT:        loop.for %ii = 0 to {{2|3|4|6}} {
// CHECK-NEXT:          loop.for %ji = 0 to {{8|16|32}} {
// CHECK-NEXT:            loop.for %k = 0 to 64 {
// CHECK-NEXT:              loop.block "C" {{.*}}, %vk = reduce(%k) in 64) {
builtin.module attributes {
  tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 1>
} {
  func.func private @matmul(%A: memref<96x64xf32>, %B: memref<64x64xf32>, %C: memref<96x64xf32> {tw.output}) {
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 96 { loop.for %j = 0 to 64 { loop.for %k = 0 to 64 {
      loop.block "C" (%vi = spatial(%i) in 96, %vj = spatial(%j) in 64, %vk = reduce(%k) in 64) {
        loop.init { loop.store %zero, %C[%vi, %vj] : memref<96x64xf32> }
        %a = loop.load %A[%vi, %vk] : memref<96x64xf32>
        %b = loop.load %B[%vk, %vj] : memref<64x64xf32>
        %c = loop.load %C[%vi, %vj] : memref<96x64xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        loop.store %s, %C[%vi, %vj] : memref<96x64xf32>
      }
    } } }
    func.return
  }
}
