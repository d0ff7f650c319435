// RUN: opt-tool --pass auto-schedule --remarks %s 2>&1 | filecheck %s

builtin.module attributes {
  tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 8388608], threads 1>
} {
  // CASE remarks: a schedule of the user whose innermost loop walks along a column, after the share of the roofline.
  // CHECK: remark[TW0840]: @columns is predicted to reach {{[0-9]+}}% of the roofline [analysis, auto-schedule]
  // CHECK: remark[TW0842]: block 'C' loads %B in steps of 2048 bytes: loop %k is innermost, and moves another dimension than the last one; predicted to cost {{[0-9]+}}% of the time [missed, auto-schedule]
  // CHECK: note: remedy: reorder the loops so that the innermost one moves the last dimension, and vectorize it
  func.func private @columns(%A: memref<64x512xf32>, %B: memref<512x512xf32>, %C: memref<64x512xf32> {tw.output}) attributes {tw.scheduled} {
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 64 { loop.for %j = 0 to 512 { loop.for %k = 0 to 512 {
      loop.block "C" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 512, %vk = reduce(%k) in 512) {
        loop.init { loop.store %zero, %C[%vi, %vj] : memref<64x512xf32> }
        %a = loop.load %A[%vi, %vk] : memref<64x512xf32>
        %b = loop.load %B[%vk, %vj] : memref<512x512xf32>
        %c = loop.load %C[%vi, %vj] : memref<64x512xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        loop.store %s, %C[%vi, %vj] : memref<64x512xf32>
      }
    } } }
    func.return
  }

  // CASE fires: the default schedule of the same product.
  // CHECK-NOT: remark[TW084
  func.func private @default(%A: memref<64x512xf32>, %B: memref<512x512xf32>, %C: memref<64x512xf32> {tw.output}) {
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 64 { loop.for %j = 0 to 512 { loop.for %k = 0 to 512 {
      loop.block "C" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 512, %vk = reduce(%k) in 512) {
        loop.init { loop.store %zero, %C[%vi, %vj] : memref<64x512xf32> }
        %a = loop.load %A[%vi, %vk] : memref<64x512xf32>
        %b = loop.load %B[%vk, %vj] : memref<512x512xf32>
        %c = loop.load %C[%vi, %vj] : memref<64x512xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        loop.store %s, %C[%vi, %vj] : memref<64x512xf32>
      }
    } } }
    func.return
  }

  // CASE leaves alone: what is over soon, however slow.
  func.func private @short(%A: memref<8x64xf32>, %B: memref<64x64xf32>, %C: memref<8x64xf32> {tw.output}) attributes {tw.scheduled} {
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 8 { loop.for %j = 0 to 8 { loop.for %k = 0 to 8 {
      loop.block "C" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 8, %vk = reduce(%k) in 8) {
        loop.init { loop.store %zero, %C[%vi, %vj] : memref<8x64xf32> }
        %a = loop.load %A[%vi, %vk] : memref<8x64xf32>
        %b = loop.load %B[%vk, %vj] : memref<64x64xf32>
        %c = loop.load %C[%vi, %vj] : memref<8x64xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        loop.store %s, %C[%vi, %vj] : memref<8x64xf32>
      }
    } } }
    func.return
  }
}
