// RUN: opt-tool --pass reorder %s | filecheck %s
// RUN: opt-tool --pass "reorder{order=k,i,j}" %s | filecheck %s --check-prefix NAMED
// RUN: not opt-tool --pass "tile{sizes=4,8}" --target none %s 2>&1 | filecheck %s --check-prefix TILE
// RUN: not opt-tool --pass "reorder{order=b,a}" %s 2>&1 | filecheck %s --check-prefix ERROR

// CASE errs: an order that a dependence forbids is refused with two iterations that would be exchanged.
// ERROR: error[TW0401]: reorder: the order %b, %a of block 'A' is illegal: (a=1, b=1) must run before (a=2, b=0)
// ERROR: note: (a=1, b=1) writes %A[1, 1], which (a=2, b=0) reads after it
// ERROR: note: in pass 'reorder{order=b,a}'
// TILE: error[TW0401]: reorder: the order %ao, %bo, %ai, %bi of block 'A' is illegal: {{.*}} must run before
// TILE: note: in pass 'tile{sizes=4,8}'

// CASE fires: the loop along which results lie side by side goes innermost.
// CHECK-LABEL: func.func private @matmul(
// CHECK:         loop.for %i = 0 to 16 {
// CHECK-NEXT:      loop.for %k = 0 to 64 {
// CHECK-NEXT:        loop.for %j = 0 to 32 {
// CHECK-NEXT:          loop.block "C" (%vi = spatial(%i) in 16, %vj = spatial(%j) in 32, %vk = reduce(%k) in 64) {
// NAMED-LABEL: func.func private @matmul(
// NAMED:         loop.for %k = 0 to 64 {
// NAMED-NEXT:      loop.for %i = 0 to 16 {
// NAMED-NEXT:        loop.for %j = 0 to 32 {
func.func private @matmul(%A: memref<16x64xf32>, %B: memref<64x32xf32>, %C: memref<16x32xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 16 { loop.for %j = 0 to 32 { loop.for %k = 0 to 64 {
    loop.block "C" (%vi = spatial(%i) in 16, %vj = spatial(%j) in 32, %vk = reduce(%k) in 64) {
      loop.init { loop.store %zero, %C[%vi, %vj] : memref<16x32xf32> }
      %a = loop.load %A[%vi, %vk] : memref<16x64xf32>
      %b = loop.load %B[%vk, %vj] : memref<64x32xf32>
      %c = loop.load %C[%vi, %vj] : memref<16x32xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      loop.store %s, %C[%vi, %vj] : memref<16x32xf32>
    }
  } } }
  func.return
}

// CASE leaves alone: without a reduction, or where names are not those of all loops, the order stays.
// CHECK-LABEL: func.func private @wavefront(
// CHECK-NEXT:    loop.for %a = 1 to 16 {
// CHECK-NEXT:      loop.for %b = 0 to 15 {
// NAMED-LABEL: func.func private @wavefront(
// NAMED-NEXT:    loop.for %a = 1 to 16 {
// NAMED-NEXT:      loop.for %b = 0 to 15 {
func.func private @wavefront(%A: memref<16x16xf32>) {
  loop.for %a = 1 to 16 { loop.for %b = 0 to 15 {
    loop.block "A" (%vi = spatial(%a) in 16, %vj = spatial(%b) in 16) {
      %x = loop.load %A[%vi - 1, %vj + 1] : memref<16x16xf32>
      loop.store %x, %A[%vi, %vj] : memref<16x16xf32>
    }
  } }
  func.return
}
