// RUN: opt-tool --pass sink-allocations %s | filecheck %s

// CASE fires: a step's tile of shared memory has what all threads of the block read, wherever it is filled.
// CHECK-LABEL: func.func private @steps(
// CHECK: loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
// CHECK-NEXT: loop.for %k = 0 to 8 {
// CHECK-NEXT: %s = loop.alloc : memref<8x1xf32, "shared">
// CHECK-NEXT: loop.for %u = 0 to 4 kind thread<"threadIdx.x"> {
// CHECK: loop.store %v, %s[%u * 2 + %i, 0]
// CHECK: %w = loop.load %s[%t * 2 + %j, 0]
func.func private @steps(%x: memref<64x8xf32>, %o: memref<64xf32>) {
  %s = loop.alloc : memref<64x8xf32, "shared">
  loop.for %b = 0 to 8 kind thread<"blockIdx.x"> {
    loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
      loop.for %k = 0 to 8 {
        loop.for %u = 0 to 4 kind thread<"threadIdx.x"> {
          loop.for %i = 0 to 2 {
            %v = loop.load %x[%b * 8 + %u * 2 + %i, %k] : memref<64x8xf32>
            loop.store %v, %s[%b * 8 + %u * 2 + %i, %k] : memref<64x8xf32, "shared">
          }
        }
        loop.for %j = 0 to 2 {
          %w = loop.load %s[%b * 8 + %t * 2 + %j, %k] : memref<64x8xf32, "shared">
          loop.store %w, %o[%b * 8 + %t * 2 + %j] : memref<64xf32>
        }
      }
    }
  }
  func.return
}

// CASE fires: a local buffer has what one thread touches.
// CHECK-LABEL: func.func private @own(
// CHECK: loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
// CHECK: %p = loop.alloc : memref<1xf32, "local">
func.func private @own(%x: memref<4xf32>, %o: memref<4xf32>) {
  %p = loop.alloc : memref<4xf32, "local">
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    %v = loop.load %x[%t] : memref<4xf32>
    loop.store %v, %p[%t] : memref<4xf32, "local">
    %w = loop.load %p[%t] : memref<4xf32, "local">
    loop.store %w, %o[%t] : memref<4xf32>
  }
  func.return
}

// CASE leaves alone: other threads read what each of them wrote, so the buffer stays in front of them.
// CHECK-LABEL: func.func private @others(
// CHECK: %s = loop.alloc : memref<4xf32, "shared">
// CHECK-NEXT: loop.for %t
func.func private @others(%x: memref<4xf32>, %o: memref<4xf32>) {
  %s = loop.alloc : memref<4xf32, "shared">
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    %v = loop.load %x[%t] : memref<4xf32>
    loop.store %v, %s[%t] : memref<4xf32, "shared">
  }
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    %w = loop.load %s[3 - %t] : memref<4xf32, "shared">
    loop.store %w, %o[%t] : memref<4xf32>
  }
  func.return
}
