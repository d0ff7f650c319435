// RUN: opt-tool --split-input-file --pass unify-thread-binding --verify-diagnostics %s

// CASE errs: the threads of the outer loop have nobody to do the inner one's last iterations.
func.func @longer_inside(%C: memref<16xf32>, %x: f32) {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{TW0543: expected one extent for all loops over threadIdx.x of a kernel, but loop %u stands inside loop %t and may be longer}}
    loop.for %u = 0 to 16 kind thread<"threadIdx.x"> { loop.store %x, %C[%u] : memref<16xf32> }
  }
  func.return
}

// -----
// CASE errs: a block is not made of blocks.
func.func @blocks_inside(%C: memref<16xf32>, %x: f32) {
  loop.for %t = 0 to 8 kind thread<"blockIdx.x"> {
    // expected-error @+1 {{but loop %u stands inside loop %t}}
    loop.for %u = 0 to 8 kind thread<"blockIdx.x"> { loop.store %x, %C[%u] : memref<16xf32> }
  }
  func.return
}

// -----
// CASE errs: either of two sizes may be the larger one.
func.func @unknown(%C: memref<?xf32>, %x: f32, %n: index, %m: index) {
  loop.for %b = 0 to 8 kind thread<"blockIdx.x"> {
    loop.for %t = 0 to %n kind thread<"threadIdx.x"> { loop.store %x, %C[%t] : memref<?xf32> }
    // expected-error @+1 {{but which of their extents is the largest is not known outside of the kernel}}
    loop.for %t = 0 to %m kind thread<"threadIdx.x"> { loop.store %x, %C[%t] : memref<?xf32> }
  }
  func.return
}

// -----
// CASE errs: which number the threads count from is not known.
func.func @several_bounds(%C: memref<?xf32>, %x: f32, %n: index) {
  // expected-error @+1 {{but loop %t must not start at the largest of several bounds}}
  loop.for %t = max(0, %n) to 8 kind thread<"threadIdx.x"> { loop.store %x, %C[%t] : memref<?xf32> }
  func.return
}

// -----
// CASE errs: threads run at once, so no value goes from one to the next.
func.func @carried(%C: memref<?xf32>, %x: f32) {
  // expected-error @+1 {{but loop %t must not carry values from one to the next}}
  %y = loop.for %t = 1 to 8 kind thread<"threadIdx.x"> iter_args(%z = %x) -> (f32) { loop.yield %z : f32 }
  loop.store %y, %C[0] : memref<?xf32>
  func.return
}
