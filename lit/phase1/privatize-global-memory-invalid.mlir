// RUN: opt-tool --split-input-file --pass privatize-global-memory --verify-diagnostics %s

// CASE errs: how large the row of a thread is depends on the thread.
func.func @of_the_thread(%C: memref<8xf32> {tw.output}, %x: f32) {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %n = loop.apply (%t + 1) : index
    // expected-error @+1 {{TW0680: expected %s, global scratch of loops over blocks and threads, to have a size that is known before the kernel starts}}
    %s = loop.alloc (%n) : memref<?xf32>
    loop.store %x, %s[%t] : memref<?xf32>
    loop.store %x, %C[%t] : memref<8xf32>
  }
  func.return
}

// -----

// CASE errs: a view may be of any of its elements.
func.func @views(%C: memref<8xf32> {tw.output}, %x: f32) {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{TW0680: expected %s, global scratch of loops over blocks and threads, to be used by loads, stores and calls alone}}
    %s = loop.alloc : memref<4096xi8>
    %v = loop.view %s[0] : memref<4096xi8> to memref<1024xf32>
    loop.store %x, %v[%t] : memref<1024xf32>
    loop.store %x, %C[%t] : memref<8xf32>
  }
  func.return
}

// -----

// CASE errs: a row for each of the threads that there are.
func.func @from_one(%C: memref<?xf32> {tw.output}, %x: f32, %n: index) {
  loop.for %t = 1 to 8 kind thread<"threadIdx.x"> {
    // expected-error @+1 {{TW0680: expected %s, global scratch of loops over blocks and threads, inside loops from 0 to one extent}}
    %s = loop.alloc (%n) : memref<?xf32>
    loop.store %x, %s[0] : memref<?xf32>
    loop.store %x, %C[%t] : memref<?xf32>
  }
  func.return
}
