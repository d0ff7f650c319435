// RUN: opt-tool --pass lower-cross-thread-reduction %s | filecheck %s

// CASE fires: six threads have a term each, and halves of what is left are added until one is.
// CHECK-LABEL: func.func private @sum(
// CHECK: %B_shared = loop.alloc : memref<4x6xf32, "shared">
// CHECK-NEXT: loop.for %k = 0 to 6 kind thread<"threadIdx.x"> {
// CHECK-NEXT: %B_part = loop.alloc : memref<4xf32, "local">
// CHECK-NEXT: loop.block "B_start" (%vi = spatial(%i) in 4, %vt = spatial(%k) in 6) {
// CHECK: loop.store %identity, %B_part[%vi]
// CHECK: loop.block "B_part" (%vi_1 = spatial(%i) in 4, %vk = reduce(%k) in 6) {
// CHECK: loop.store %s, %B_part[%vi_1]
// CHECK: loop.block "B_share"
// CHECK: loop.store %p, %B_shared[{{.*}}]
// CHECK: loop.for %k_1 = 0 to 6 kind thread<"threadIdx.x"> {
// CHECK-NEXT: loop.block "B_tree_4" ({{.*}}) where (%k_1 < 2) {
// CHECK: loop.block "B_tree_2" ({{.*}}) where (%k_2 < 2) {
// CHECK: loop.block "B_tree_1" ({{.*}}) where (%k_3 < 1) {
// CHECK: loop.block "B" ({{.*}}) where (%k_4 < 1) {
// CHECK-NEXT: %p_{{[0-9]+}} = loop.load %B_shared[%vi_{{[0-9]+}}, 0]
// CHECK-NEXT: loop.store %p_{{[0-9]+}}, %B[%vi_{{[0-9]+}}]
func.func private @sum(%A: memref<4x6xf32>, %B: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 4 kind thread<"blockIdx.x"> {
    loop.for %k = 0 to 6 kind thread<"threadIdx.x"> {
      loop.block "B" (%vi = spatial(%i) in 4, %vk = reduce(%k) in 6) {
        loop.init {
          loop.store %zero, %B[%vi] : memref<4xf32>
        }
        %a = loop.load %A[%vi, %vk] : memref<4x6xf32>
        %b = loop.load %B[%vi] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        loop.store %s, %B[%vi] : memref<4xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: one thread adds all terms of its result.
// CHECK-LABEL: func.func private @alone(
// CHECK: loop.for %i = 0 to 4 kind thread<"threadIdx.x"> {
// CHECK-NEXT: loop.for %k = 0 to 6 {
// CHECK-NEXT: loop.block "B" ({{.*}}reduce(%k) in 6) {
func.func private @alone(%A: memref<4x6xf32>, %B: memref<4xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 4 kind thread<"threadIdx.x"> {
    loop.for %k = 0 to 6 {
      loop.block "B" (%vi = spatial(%i) in 4, %vk = reduce(%k) in 6) {
        loop.init {
          loop.store %zero, %B[%vi] : memref<4xf32>
        }
        %a = loop.load %A[%vi, %vk] : memref<4x6xf32>
        %b = loop.load %B[%vi] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        loop.store %s, %B[%vi] : memref<4xf32>
      }
    }
  }
  func.return
}
