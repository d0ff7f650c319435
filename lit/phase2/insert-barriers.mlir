// RUN: opt-tool --pass insert-barriers %s | filecheck %s

// CASE fires: loops over the same threads become one, and one thread reads what another one wrote.
// CHECK-LABEL: func.func private @beside(
// CHECK: loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
// CHECK-NEXT: %s = loop.alloc : memref<8xf32, "shared">
// CHECK-NEXT: loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
// CHECK-NEXT: %v = loop.load %x[%b, %t]
// CHECK-NEXT: loop.store %v, %s[%t]
// CHECK-NEXT: loop.barrier <"shared">
// CHECK-NEXT: %w = loop.load %s[-%t + 7]
// CHECK-NEXT: loop.store %w, %o[%b, %t]
// CHECK-NEXT: }
func.func private @beside(%x: memref<4x8xf32>, %o: memref<4x8xf32>) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<8xf32, "shared">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %v = loop.load %x[%b, %t] : memref<4x8xf32>
      loop.store %v, %s[%t] : memref<8xf32, "shared">
    }
    loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
      %w = loop.load %s[7 - %u] : memref<8xf32, "shared">
      loop.store %w, %o[%b, %u] : memref<4x8xf32>
    }
  }
  func.return
}

// CASE fires: what the next iteration fills, slower threads still read.
// CHECK-LABEL: func.func private @steps(
// CHECK: %s = loop.alloc
// CHECK: loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
// CHECK-NEXT: %a = loop.alloc
// CHECK: loop.for %k = 0 to 4 {
// CHECK-NEXT: %v = loop.load %x[%k, %t]
// CHECK-NEXT: loop.barrier <"shared">
// CHECK-NEXT: loop.store %v, %s[%t]
// CHECK-NEXT: loop.barrier <"shared">
// CHECK-NEXT: loop.for %j = 0 to 8 {
// CHECK-NEXT: %w = loop.load %s[%j]
func.func private @steps(%x: memref<4x8xf32>, %o: memref<8xf32>) {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %a = loop.alloc : memref<1xf32, "local">
    %zero = arith.constant 0.0 : f32
    loop.store %zero, %a[0] : memref<1xf32, "local">
    loop.for %k = 0 to 4 {
      %s = loop.alloc : memref<8xf32, "shared">
      loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
        %v = loop.load %x[%k, %u] : memref<4x8xf32>
        loop.store %v, %s[%u] : memref<8xf32, "shared">
      }
      loop.for %j = 0 to 8 {
        %w = loop.load %s[%j] : memref<8xf32, "shared">
        %c = loop.load %a[0] : memref<1xf32, "local">
        %d = arith.addf %c, %w : f32
        loop.store %d, %a[0] : memref<1xf32, "local">
      }
    }
    %r = loop.load %a[0] : memref<1xf32, "local">
    loop.store %r, %o[%t] : memref<8xf32>
  }
  func.return
}

// CASE fires: of loops over fewer threads the others stay away; what no thread is named for is done by the first.
// CHECK-LABEL: func.func private @fewer(
// CHECK: loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
// CHECK-NEXT: loop.if (%t < 1) {
// CHECK-NEXT: loop.store %one, %s[0]
// CHECK: loop.barrier <"shared">
// CHECK: loop.barrier <"global">
// CHECK-NEXT: loop.if (%t < 3) {
// CHECK-NEXT: %w = loop.load %o[-%t + 7]
func.func private @fewer(%o: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<1xf32, "shared">
    loop.store %one, %s[0] : memref<1xf32, "shared">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %v = loop.load %s[0] : memref<1xf32, "shared">
      loop.store %v, %o[%t] : memref<8xf32>
    }
    loop.for %t = 0 to 3 kind thread<"threadIdx.x"> {
      %w = loop.load %o[7 - %t] : memref<8xf32>
      loop.store %w, %o[%t] : memref<8xf32>
    }
  }
  func.return
}

// CASE leaves alone: each thread reads what it wrote itself, at any iteration.
// CHECK-LABEL: func.func private @own(
// CHECK-NOT: loop.barrier
// CHECK: func.return
func.func private @own(%x: memref<64xf32>, %o: memref<64xf32>) {
  loop.for %b = 0 to 2 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<32xf32, "shared">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      loop.for %i = 0 to 4 {
        %v = loop.load %x[%b * 32 + %t * 4 + %i] : memref<64xf32>
        loop.store %v, %s[%t * 4 + %i] : memref<32xf32, "shared">
      }
      loop.for %i = 0 to 4 {
        %w = loop.load %s[%t * 4 + 3 - %i] : memref<32xf32, "shared">
        loop.store %w, %o[%b * 32 + %t * 4 + %i] : memref<64xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: barriers stand where they are needed.
// CHECK-LABEL: func.func private @done(
// CHECK-COUNT-1: loop.barrier
// CHECK: func.return
func.func private @done(%x: memref<8xf32>, %o: memref<8xf32>) {
  %s = loop.alloc : memref<8xf32, "shared">
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %v = loop.load %x[%t] : memref<8xf32>
    loop.store %v, %s[%t] : memref<8xf32, "shared">
    loop.barrier <"shared">
    %w = loop.load %s[7 - %t] : memref<8xf32, "shared">
    loop.store %w, %o[%t] : memref<8xf32>
  }
  func.return
}

// CASE fires: barriers inside a loop that may have no iteration separate nothing behind the loop.
// CHECK-LABEL: func.func private @maybe(
// CHECK:         loop.for %j = %b to 4 {
// CHECK-COUNT-2:   loop.barrier <"shared">
// CHECK:         }
// CHECK:         loop.barrier <"shared">
// CHECK-NEXT:    %w = loop.load %s[-%t + 7]
func.func private @maybe(%x: memref<8xf32>, %o: memref<5x8xf32>) {
  loop.for %b = 0 to 5 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<8xf32, "shared">
    %r = loop.alloc : memref<8xf32, "shared">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %v = loop.load %x[%t] : memref<8xf32>
      loop.store %v, %s[%t] : memref<8xf32, "shared">
    }
    loop.for %j = %b to 4 {
      loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
        %v = loop.load %x[%t] : memref<8xf32>
        loop.store %v, %r[7 - %t] : memref<8xf32, "shared">
      }
      loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
        %v = loop.load %r[%t] : memref<8xf32, "shared">
        loop.store %v, %o[%b, %t] : memref<5x8xf32>
      }
    }
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %w = loop.load %s[7 - %t] : memref<8xf32, "shared">
      loop.store %w, %o[%b, %t] : memref<5x8xf32>
    }
  }
  func.return
}
