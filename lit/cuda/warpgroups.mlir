// RUN: opt-tool --target "cuda -arch=sm_90a" --pass auto-schedule %s | filecheck %s
// RUN: opt-tool --target "cuda -arch=sm_90a" --pass auto-schedule --remarks %s -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD
// RUN: opt-tool --target "cuda -arch=sm_90a" --emit cuda-python %s | filecheck %s --check-prefix=KERNEL
// RUN: opt-tool --target "cuda -arch=sm_90" --emit cuda-python %s | filecheck %s --check-prefix=SINGLE

// Four warps multiply together: operands stay in shared memory, swizzled, and copies for a later step begin while a
// product is computed. Columns of the right operand make blocks of 64.
// TOLD: block 'C' is a product of 1 x 2048 x 2048 x 512: wgmma_m64n256k16_f16, tiles of 128 x 256 x 64, 8 x 1 warps

// CHECK: %C_reindex = loop.alloc : memref<{{.*}}, "warp.mma_c">
// CHECK: software_pipeline_async_stages
// CHECK: %A_reindex = loop.alloc attributes {tw.storage_swizzle} : memref<2048x512xf16, "shared">
// CHECK: %B_reindex = loop.alloc attributes {tw.storage_swizzle} : memref<32x512x64xf16, "shared">
// CHECK: loop.call_extern "wgmma_m64n256k64_f16_nn"(update
// CHECK: loop.call_extern "wgmma_wait128"(update

// KERNEL:      for {{.*}} in range(3, 8):
// KERNEL-NEXT:   device.cp_async_wait(2)
// KERNEL-NEXT:   device.fence_async()
// KERNEL-NEXT:   cuda.syncthreads()
// KERNEL-NEXT:   device.wgmma_m64n256k64_f16_nn(C_reindex, 0, shared_float16,
// KERNEL:        device.cp_async16(shared_float16, uint64({{.*}}^{{.*}}), A,
// KERNEL:        device.cp_async16(shared_float16, uint64({{.*}}^{{.*}}), B,
// KERNEL-NEXT:   device.cp_async_commit()
// KERNEL-NEXT:   device.wgmma_wait128(C_reindex, 0)

// SINGLE-NOT: wgmma
// SINGLE:     device.mma_m16n8k16_f16(
func.func @main(%A: memref<2048x512xf16> {tw.name = "A"}, %B: memref<512x2048xf16> {tw.name = "B"}, %C: memref<2048x2048xf32> {tw.name = "C", tw.output}) {
  loop.for %i = 0 to 2048 {
    loop.for %j = 0 to 2048 {
      loop.for %k = 0 to 512 {
        loop.block "C" (%vi = spatial(%i) in 2048, %vj = spatial(%j) in 2048, %vk = reduce(%k) in 512) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            loop.store %zero, %C[%vi, %vj] : memref<2048x2048xf32>
          }
          %a = loop.load %A[%vi, %vk] : memref<2048x512xf16>
          %b = loop.load %B[%vk, %vj] : memref<512x2048xf16>
          %x = arith.extf %a : f16 to f32
          %y = arith.extf %b : f16 to f32
          %c = loop.load %C[%vi, %vj] : memref<2048x2048xf32>
          %product = arith.mulf %x, %y : f32
          %sum = arith.addf %c, %product : f32
          loop.store %sum, %C[%vi, %vj] : memref<2048x2048xf32>
        }
      }
    }
  }
  func.return
}
