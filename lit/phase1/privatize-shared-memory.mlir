// RUN: opt-tool --pass privatize-shared-memory %s | filecheck %s

// CASE fires: each thread reads the elements that it has written, of which registers hold 32.
// CHECK-LABEL: func.func @row(
// CHECK:      %s = loop.alloc attributes {tw.words_at_once = 32 : i64} : memref<256x1x32xf32, "local">
// CHECK:      loop.store %x, %s[%t, 0, %i * 4 + %j] : memref<256x1x32xf32, "local">
// CHECK:      %y = loop.load %s[%u, 0, %k * 4 + %l] : memref<256x1x32xf32, "local">
func.func @row(%A: memref<64x8192xf32>, %B: memref<64x8192xf32> {tw.output}) {
  loop.for %b = 0 to 64 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<1x8192xf32, "shared">
    loop.for %t = 0 to 256 kind thread<"threadIdx.x"> {
      loop.for %i = 0 to 8 {
        loop.for %j = 0 to 4 kind vectorized {
          %x = loop.load %A[%b, %i * 1024 + %t * 4 + %j] : memref<64x8192xf32>
          loop.store %x, %s[0, %i * 1024 + %t * 4 + %j] : memref<1x8192xf32, "shared">
        }
      }
    }
    loop.for %u = 0 to 256 kind thread<"threadIdx.x"> {
      loop.for %k = 0 to 8 {
        loop.for %l = 0 to 4 {
          %y = loop.load %s[0, %k * 1024 + %u * 4 + %l] : memref<1x8192xf32, "shared">
          loop.store %y, %B[%b, %k * 1024 + %u * 4 + %l] : memref<64x8192xf32>
        }
      }
    }
  }
  func.return
}

// CASE fires: the thread is a digit of each axis, and a row that ends within a step has a condition.
// CHECK-LABEL: func.func @rows(
// CHECK:      %s = loop.alloc attributes {tw.words_at_once = 4 : i64} : memref<2x32x1x4xf32, "local">
// CHECK:      loop.store %x, %s[%y, %t, 0, %i] : memref<2x32x1x4xf32, "local">
// CHECK:      %z = loop.load %s[%w, %u, 0, %k] : memref<2x32x1x4xf32, "local">
func.func @rows(%A: memref<2x100xf32>, %B: memref<2x100xf32> {tw.output}) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<2x100xf32, "shared">
    loop.for %y = 0 to 2 kind thread<"threadIdx.y"> {
      loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
        loop.for %i = 0 to 4 {
          loop.if (%i * 32 + %t < 100) {
            %x = loop.load %A[%y, %i * 32 + %t] : memref<2x100xf32>
            loop.store %x, %s[%y, %i * 32 + %t] : memref<2x100xf32, "shared">
          }
        }
      }
    }
    loop.for %w = 0 to 2 kind thread<"threadIdx.y"> {
      loop.for %u = 0 to 32 kind thread<"threadIdx.x"> {
        loop.for %k = 0 to 4 {
          loop.if (%k * 32 + %u < 100) {
            %z = loop.load %s[%w, %k * 32 + %u] : memref<2x100xf32, "shared">
            loop.store %z, %B[%w, %k * 32 + %u] : memref<2x100xf32>
          }
        }
      }
    }
  }
  func.return
}

// CASE fires: several dimensions are one number whose digit the thread is.
// CHECK-LABEL: func.func @fused(
// CHECK:      %s = loop.alloc attributes {tw.words_at_once = 12 : i64} : memref<32x12xf32, "local">
// CHECK:      loop.store %x, %s[%t, %i] : memref<32x12xf32, "local">
func.func @fused(%A: memref<3x128xf32>, %B: memref<3x128xf32> {tw.output}) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<3x128xf32, "shared">
    loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
      loop.for %i = 0 to 12 {
        %x = loop.load %A[(%i * 32 + %t) floordiv 128, (%i * 32 + %t) mod 128] : memref<3x128xf32>
        loop.store %x, %s[(%i * 32 + %t) floordiv 128, (%i * 32 + %t) mod 128] : memref<3x128xf32, "shared">
      }
    }
    loop.for %u = 0 to 32 kind thread<"threadIdx.x"> {
      loop.for %k = 0 to 12 {
        %y = loop.load %s[(%k * 32 + %u) floordiv 128, (%k * 32 + %u) mod 128] : memref<3x128xf32, "shared">
        loop.store %y, %B[(%k * 32 + %u) floordiv 128, (%k * 32 + %u) mod 128] : memref<3x128xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: another thread reads the element, whether it has another digit or another number.
// CHECK-LABEL: func.func @others(
// CHECK:      loop.alloc : memref<256xf32, "shared">
// CHECK:      loop.alloc : memref<256xf32, "shared">
func.func @others(%B: memref<256xf32> {tw.output}, %x: f32) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<256xf32, "shared">
    %r = loop.alloc : memref<256xf32, "shared">
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.for %i = 0 to 4 {
        loop.store %x, %s[%i * 64 + %t] : memref<256xf32, "shared">
        loop.store %x, %r[%i * 64 + %t] : memref<256xf32, "shared">
      }
    }
    loop.for %u = 0 to 64 kind thread<"threadIdx.x"> {
      loop.for %k = 0 to 4 {
        %y = loop.load %s[%u * 4 + %k] : memref<256xf32, "shared">
        %z = loop.load %r[%k * 64 - %u + 63] : memref<256xf32, "shared">
        %w = arith.addf %y, %z : f32
        loop.store %w, %B[%u * 4 + %k] : memref<256xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: what stands outside of the loops over an axis is done by one thread, which all others see.
// CHECK-LABEL: func.func @one_thread(
// CHECK:      loop.alloc : memref<64xf32, "shared">
// CHECK:      loop.alloc : memref<64xf32, "shared">
func.func @one_thread(%B: memref<2x64xf32> {tw.output}, %x: f32) {
  loop.for %b = 0 to 2 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<64xf32, "shared">
    %r = loop.alloc : memref<64xf32, "shared">
    loop.for %i = 0 to 64 {
      loop.store %x, %s[%i] : memref<64xf32, "shared">
    }
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.store %x, %r[%t] : memref<64xf32, "shared">
    }
    loop.for %y = 0 to 2 kind thread<"threadIdx.y"> {
      loop.for %u = 0 to 64 kind thread<"threadIdx.x"> {
        %v = loop.load %s[%u] : memref<64xf32, "shared">
        %w = loop.load %r[%u] : memref<64xf32, "shared">
        %z = arith.addf %v, %w : f32
        loop.store %z, %B[%b, %u] : memref<2x64xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: more than fits registers, and elements that are not known when loops are unrolled.
// CHECK-LABEL: func.func @many(
// CHECK:      loop.alloc : memref<4160xf32, "shared">
// CHECK:      loop.alloc : memref<4096xf32, "shared">
func.func @many(%B: memref<4160xf32> {tw.output}, %x: f32, %n: index) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<4160xf32, "shared">
    %r = loop.alloc : memref<4096xf32, "shared">
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.for %i = 0 to 65 {
        loop.store %x, %s[%i * 64 + %t] : memref<4160xf32, "shared">
      }
      loop.for %i = 0 to %n {
        loop.store %x, %r[%i * 64 + %t] : memref<4096xf32, "shared">
      }
    }
    loop.for %u = 0 to 64 kind thread<"threadIdx.x"> {
      loop.for %k = 0 to 65 {
        %y = loop.load %s[%k * 64 + %u] : memref<4160xf32, "shared">
        %z = loop.load %r[%u] : memref<4096xf32, "shared">
        %w = arith.addf %y, %z : f32
        loop.store %w, %B[%k * 64 + %u] : memref<4160xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: copies that arrive later need shared memory, and a schedule has asked for two versions.
// CHECK-LABEL: func.func @asked(
// CHECK:      loop.alloc : memref<64xf32, "shared">
// CHECK:      loop.alloc attributes {tw.double_buffer} : memref<64xf32, "shared">
func.func @asked(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
  loop.for %b = 0 to 1 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<64xf32, "shared">
    %r = loop.alloc attributes {tw.double_buffer} : memref<64xf32, "shared">
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      %x = loop.load %A[%t] : memref<64xf32>
      loop.store %x, %s[%t] attributes {tw.async} : memref<64xf32, "shared">
      loop.store %x, %r[%t] : memref<64xf32, "shared">
      loop.async_commit
      loop.async_wait <0>
      %y = loop.load %s[%t] : memref<64xf32, "shared">
      %z = loop.load %r[%t] : memref<64xf32, "shared">
      %w = arith.addf %y, %z : f32
      loop.store %w, %B[%t] : memref<64xf32>
    }
  }
  func.return
}
