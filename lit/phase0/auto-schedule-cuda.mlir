// RUN: opt-tool --pass auto-schedule %s | filecheck %s

// For a GPU every loop is bound to blocks and threads, or runs inside of one; what no rule takes has one thread.

builtin.module attributes {tw.target = #target.cuda<arch "sm_90", max_threads 1024, shared 49152, warp 32>} {
  // CASE fires: four neighbours a thread, the rest over blocks.
  // CHECK-LABEL: func.func @elements(
  // CHECK-NEXT:    loop.for %ioo = 0 to 2 kind thread<"blockIdx.x"> {
  // CHECK-NEXT:      loop.for %ioi = 0 to 256 kind thread<"threadIdx.x"> {
  // CHECK-NEXT:        loop.for %ii = 0 to 4 kind vectorized {
  // CHECK-NEXT:          loop.block "B"
  func.func @elements(%A: memref<2048xf32>, %B: memref<2048xf32> {tw.output}) {
    loop.for %i = 0 to 2048 {
      loop.block "B" (%vi = spatial(%i) in 2048) {
        %a = loop.load %A[%vi] : memref<2048xf32>
        %s = arith.addf %a, %a : f32
        loop.store %s, %B[%vi] : memref<2048xf32>
      }
    }
    func.return
  }

  // CASE fires: threads share a row, and load four terms at once.
  // CHECK-LABEL: func.func @rows(
  // CHECK:         loop.for %i = 0 to 4 kind thread<"blockIdx.x"> {
  // CHECK:           loop.for %koi = 0 to 32 kind thread<"threadIdx.x"> {
  // CHECK:             loop.block "A_read"
  // CHECK:             loop.block "C"
  func.func @rows(%A: memref<4x128xf32>, %C: memref<4xf32> {tw.output}) {
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 4 {
      loop.for %k = 0 to 128 {
        loop.block "C" (%vi = spatial(%i) in 4, %vk = reduce(%k) in 128) {
          loop.init { loop.store %zero, %C[%vi] : memref<4xf32> }
          %a = loop.load %A[%vi, %vk] : memref<4x128xf32>
          %c = loop.load %C[%vi] : memref<4xf32>
          %s = arith.addf %c, %a : f32
          loop.store %s, %C[%vi] : memref<4xf32>
        }
      }
    }
    func.return
  }

  // CASE fires: a loop that has to run in order runs in one thread.
  // CHECK-LABEL: func.func @scan(
  // CHECK-NEXT:    loop.for %u = 0 to 1 kind thread<"threadIdx.x"> {
  // CHECK-NEXT:      loop.for %t = 1 to 8 {
  func.func @scan(%S: memref<8xf32> {tw.output}) {
    loop.for %t = 1 to 8 {
      loop.block "S" (%vt = spatial(%t) in 8) {
        %s = loop.load %S[%vt - 1] : memref<8xf32>
        loop.store %s, %S[%vt] : memref<8xf32>
      }
    }
    func.return
  }

  // CASE leaves alone: somebody has bound the loop already.
  // CHECK-LABEL: func.func @bound(
  // CHECK:         loop.for %i = 0 to 8 kind thread<"threadIdx.x"> {
  // CHECK-NEXT:      loop.block "D"
  func.func @bound(%D: memref<8xf32> {tw.output}) {
    %zero = arith.constant 0.0 : f32
    loop.for %i = 0 to 8 kind thread<"threadIdx.x"> {
      loop.block "D" (%vi = spatial(%i) in 8) {
        loop.store %zero, %D[%vi] : memref<8xf32>
      }
    }
    func.return
  }
}
