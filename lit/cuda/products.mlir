// RUN: opt-tool --target cuda --pass auto-schedule %s | filecheck %s
// RUN: opt-tool --target cuda --pass auto-schedule --remarks %s -o /dev/null 2>&1 | filecheck %s --check-prefix=TOLD
// RUN: opt-tool --target cuda --emit cuda-python %s | filecheck %s --check-prefix=KERNEL

// A product becomes tiles of blocks and threads: sums in registers, operands in shared memory, the next tiles fetched.
// TOLD: block 'C' is a product of 1 x 256 x 256 x 64: tiles of

// CHECK:      loop.for %io = 0 to {{[0-9]+}} kind thread<"blockIdx.y"> {
// CHECK-NEXT:   loop.for %jo = 0 to {{[0-9]+}} kind thread<"blockIdx.x"> {
// CHECK-NEXT:     loop.for %{{.*}} kind thread<"threadIdx.y"> {
// CHECK-NEXT:       loop.for %{{.*}} kind thread<"threadIdx.x"> {
// CHECK-NEXT:         %C_reindex = loop.alloc : memref<{{.*}}, "local">
// CHECK:              loop.block "C_init"
// CHECK:              software_pipeline_order
// CHECK:              %A_reindex = loop.alloc attributes {tw.storage_align = {{.*}}, "shared">
// CHECK:              loop.block "A_reindex"
// CHECK:              loop.block "A_reindex_write"
// CHECK:              loop.block "B_reindex"
// CHECK:              loop.block "B_reindex_write"
// CHECK:              loop.block "C"
// CHECK:              loop.block "C_reindex"

// KERNEL:     A_reindex = cuda.shared.array(
// KERNEL:     B_reindex = cuda.shared.array(
// KERNEL:     device.load4(A, 
// KERNEL:     cuda.syncthreads()
// KERNEL:     device.load4(A_reindex, 
// KERNEL:     device.load4(B_reindex, 
// KERNEL:     device.fma(
// KERNEL:     device.store4(C, 
func.func @main(%A: memref<256x64xf32> {tw.name = "A"}, %B: memref<64x256xf32> {tw.name = "B"}, %C: memref<256x256xf32> {tw.name = "C", tw.output}) {
  loop.for %i = 0 to 256 {
    loop.for %j = 0 to 256 {
      loop.for %k = 0 to 64 {
        loop.block "C" (%vi = spatial(%i) in 256, %vj = spatial(%j) in 256, %vk = reduce(%k) in 64) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            loop.store %zero, %C[%vi, %vj] : memref<256x256xf32>
          }
          %a = loop.load %A[%vi, %vk] : memref<256x64xf32>
          %b = loop.load %B[%vk, %vj] : memref<64x256xf32>
          %p = arith.mulf %a, %b : f32
          %c = loop.load %C[%vi, %vj] : memref<256x256xf32>
          %s = arith.addf %c, %p : f32
          loop.store %s, %C[%vi, %vj] : memref<256x256xf32>
        }
      }
    }
  }
  func.return
}
