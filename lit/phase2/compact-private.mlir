// RUN: opt-tool --pass compact-private %s | filecheck %s

// CASE fires: each thread has the part that it touches.
// CHECK-LABEL: @fetched
// CHECK:       loop.alloc : memref<4xf32, "local">
// CHECK:       loop.store %{{.*}}, %a[%i]
// CHECK:       loop.load %a[%i_1]
func.func @fetched(%A: memref<128xf32>, %B: memref<128xf32>) {
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %a = loop.alloc : memref<128xf32, "local">
    loop.for %i = 0 to 4 {
      %x = loop.load %A[%t * 4 + %i] : memref<128xf32>
      loop.store %x, %a[%t * 4 + %i] : memref<128xf32, "local">
    }
    loop.for %i = 0 to 4 {
      %y = loop.load %a[%t * 4 + %i] : memref<128xf32, "local">
      loop.store %y, %B[%t * 4 + %i] : memref<128xf32>
    }
  }
  func.return
}

// CASE leaves alone: what a loop runs through is not fixed while the buffer lives, and memory that threads share keeps all parts.
// CHECK-LABEL: @kept
// CHECK:       loop.alloc : memref<128xf32, "local">
// CHECK:       loop.alloc : memref<128xf32, "shared">
func.func @kept(%A: memref<128xf32>, %B: memref<128xf32>) {
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %a = loop.alloc : memref<128xf32, "local">
    %s = loop.alloc : memref<128xf32, "shared">
    loop.for %i = 0 to 128 {
      %x = loop.load %A[%i] : memref<128xf32>
      loop.store %x, %a[%i] : memref<128xf32, "local">
    }
    loop.for %i = 0 to 4 {
      %y = loop.load %a[%t * 4 + %i] : memref<128xf32, "local">
      loop.store %y, %s[%t * 4 + %i] : memref<128xf32, "shared">
      %z = loop.load %s[%t * 4 + %i] : memref<128xf32, "shared">
      loop.store %z, %B[%t * 4 + %i] : memref<128xf32>
    }
  }
  func.return
}

// CASE leaves alone: iterations that run at once are no threads of a block.
// CHECK-LABEL: @no_threads
// CHECK:       loop.alloc : memref<128xf32, "local">
func.func @no_threads(%A: memref<128xf32>, %B: memref<128xf32>) {
  loop.for %t = 0 to 32 kind parallel {
    %a = loop.alloc : memref<128xf32, "local">
    loop.for %i = 0 to 4 {
      %x = loop.load %A[%t * 4 + %i] : memref<128xf32>
      loop.store %x, %a[%t * 4 + %i] : memref<128xf32, "local">
      %y = loop.load %a[%t * 4 + %i] : memref<128xf32, "local">
      loop.store %y, %B[%t * 4 + %i] : memref<128xf32>
    }
  }
  func.return
}
