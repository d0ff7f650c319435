// RUN: opt-tool --pass privatize-global-memory %s | filecheck %s

// CASE fires: a buffer of one thread becomes private memory, a buffer of a block's threads a row for each block.
// CHECK-LABEL: func.func @both(
// CHECK:      %s = loop.alloc attributes {tw.owner = "block"} : memref<4x512xf32>
// CHECK-NEXT: loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
// CHECK-NEXT:   loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
// CHECK-NEXT:     %r = loop.alloc : memref<8xf32, "local">
// CHECK-NEXT:     loop.store %x, %r[3] : memref<8xf32, "local">
// CHECK-NEXT:     %y = loop.load %r[3] : memref<8xf32, "local">
// CHECK-NEXT:     loop.store %y, %s[%b, %t] : memref<4x512xf32>
// CHECK:        loop.for %u = 0 to 32 kind thread<"threadIdx.x"> {
// CHECK-NEXT:     %z = loop.load %s[%b, -%u + 31] : memref<4x512xf32>
func.func @both(%C: memref<4x32xf32> {tw.output}, %x: f32) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<512xf32>
    loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
      %r = loop.alloc : memref<8xf32>
      loop.store %x, %r[3] : memref<8xf32>
      %y = loop.load %r[3] : memref<8xf32>
      loop.store %y, %s[%t] : memref<512xf32>
    }
    loop.for %u = 0 to 32 kind thread<"threadIdx.x"> {
      %z = loop.load %s[31 - %u] : memref<512xf32>
      loop.store %z, %C[%b, %u] : memref<4x32xf32>
    }
  }
  func.return
}

// CASE fires: what is large, or of symbolic size, is a row for each thread of each block; an axis of storage_align moves.
// CHECK-LABEL: func.func @rows(
// CHECK:      %d = loop.alloc (%n, %n) attributes {tw.owner = "thread"} : memref<4x?x?xf32>
// CHECK-NEXT: loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
// CHECK-NEXT:   loop.for %t = 0 to %n kind thread<"threadIdx.x"> {
// CHECK-NEXT:     loop.store %x, %d[%b, %t, 0] : memref<4x?x?xf32>
// CHECK-NEXT:     %e = loop.dim %d, 2 : memref<4x?x?xf32>
// CHECK:      %r = loop.alloc attributes {tw.storage_align = [array<i64: 2, 32, 1>], tw.owner = "thread"} : memref<4x2x512xf32>
// CHECK-NEXT: loop.for %b_1 = 0 to 4 kind thread<"blockIdx.x"> {
// CHECK-NEXT:   loop.for %t_1 = 0 to 2 kind thread<"threadIdx.x"> {
// CHECK-NEXT:     loop.store %x, %r[%b_1, %t_1, 7] : memref<4x2x512xf32>
// CHECK:          "f"(update %r[%b_1, %t_1, 16] box [1, 1, 8] : memref<4x2x512xf32>, stride %r 2 of memref<4x2x512xf32> : i64)
func.func @rows(%C: memref<?xf32> {tw.output}, %x: f32, %n: index) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    loop.for %t = 0 to %n kind thread<"threadIdx.x"> {
      %d = loop.alloc (%n) : memref<?xf32>
      loop.store %x, %d[0] : memref<?xf32>
      %e = loop.dim %d, 0 : memref<?xf32>
      loop.store %x, %C[%e + %t] : memref<?xf32>
    }
  }
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    loop.for %t = 0 to 2 kind thread<"threadIdx.x"> {
      %r = loop.alloc attributes {tw.storage_align = [array<i64: 0, 32, 1>]} : memref<512xf32>
      loop.store %x, %r[7] : memref<512xf32>
      loop.call_extern "f"(update %r[16] box [8] : memref<512xf32>, stride %r 0 of memref<512xf32> : i64)
    }
  }
  func.return
}

// CASE fires: threads of an inner loop over the same axis work on the buffer of the outer one together.
// CHECK-LABEL: func.func @together(
// CHECK:      %s = loop.alloc attributes {tw.owner = "block"} : memref<8xf32>
// CHECK-NEXT: loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
// CHECK-NEXT:   loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
// CHECK-NEXT:     loop.store %x, %s[%u] : memref<8xf32>
func.func @together(%C: memref<8xf32> {tw.output}, %x: f32) {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %s = loop.alloc : memref<8xf32>
    loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
      loop.store %x, %s[%u] : memref<8xf32>
    }
    %y = loop.load %s[7 - %t] : memref<8xf32>
    loop.store %y, %C[%t] : memref<8xf32>
  }
  func.return
}

// CASE leaves alone: memory that no loop over blocks or threads allocates, and what has another scope.
// CHECK-LABEL: func.func @others(
// CHECK:      loop.alloc : memref<8xf32>
// CHECK-NEXT: loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
// CHECK-NEXT:   loop.alloc : memref<4xf32, "local">
func.func @others(%C: memref<8xf32> {tw.output}, %x: f32) {
  %s = loop.alloc : memref<8xf32>
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %p = loop.alloc : memref<4xf32, "local">
    loop.store %x, %p[0] : memref<4xf32, "local">
    loop.store %x, %s[%t] : memref<8xf32>
    loop.store %x, %C[%t] : memref<8xf32>
  }
  func.return
}
