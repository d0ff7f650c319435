// RUN: opt-tool --pass repeat-in-threads %s | filecheck %s

// CASE fires: every thread adds what the two warps have found.
// CHECK-LABEL: func.func @warps(
// CHECK:      %r = loop.alloc : memref<64x1xf32, "local">
// CHECK:      loop.store %a, %s
// CHECK:        %p = loop.load %s[0]
// CHECK-NEXT:   %q = loop.load %s[1]
// CHECK-NEXT:   %x = arith.addf %p, %q : f32
// CHECK-NEXT:   loop.store %x, %r[%t_1, 0] : memref<64x1xf32, "local">
// CHECK:        %y = loop.load %r[%u, 0] : memref<64x1xf32, "local">
func.func @warps(%A: memref<2xf32>, %B: memref<64xf32> {tw.output}) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<2xf32, "shared">
    %r = loop.alloc : memref<1xf32, "shared">
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.if (%t mod 32 < 1) {
        %a = loop.load %A[%t floordiv 32] : memref<2xf32>
        loop.store %a, %s[%t floordiv 32] : memref<2xf32, "shared">
      }
    }
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.if (%t < 1) {
        %p = loop.load %s[0] : memref<2xf32, "shared">
        %q = loop.load %s[1] : memref<2xf32, "shared">
        %x = arith.addf %p, %q : f32
        loop.store %x, %r[0] : memref<1xf32, "shared">
      }
    }
    loop.for %u = 0 to 64 kind thread<"threadIdx.x"> {
      %y = loop.load %r[0] : memref<1xf32, "shared">
      loop.store %y, %B[%u] : memref<64xf32>
    }
  }
  func.return
}

// CASE fires: the lanes of a warp ask the first one; each row of threads has a separate result.
// CHECK-LABEL: func.func @lanes(
// CHECK:      %r = loop.alloc : memref<32x2x1xf32, "local">
// CHECK:      %x = loop.load %l[%y, 0] : memref<2x32xf32, "warp">
// CHECK-NEXT: loop.store %x, %r[%t, %y, 0] : memref<32x2x1xf32, "local">
// CHECK:      loop.load %r[%t_1, %y, 0] : memref<32x2x1xf32, "local">
func.func @lanes(%l: memref<2x32xf32, "warp">, %B: memref<2x32xf32> {tw.output}) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %r = loop.alloc : memref<2xf32, "shared">
    loop.for %y = 0 to 2 kind thread<"threadIdx.y"> {
      loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
        loop.if (%t < 1) {
          %x = loop.load %l[%y, %t] : memref<2x32xf32, "warp">
          loop.store %x, %r[%y] : memref<2xf32, "shared">
        }
      }
      loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
        %z = loop.load %r[%y] : memref<2xf32, "shared">
        loop.store %z, %B[%y, %t] : memref<2x32xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: memory private to the first thread, a value that only it reads, and other effects.
// CHECK-LABEL: func.func @first(
// CHECK-COUNT-3: loop.alloc : memref<1xf32, "shared">
func.func @first(%A: memref<64xf32>, %B: memref<64xf32> {tw.output}, %C: memref<4xf32> {tw.output}) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %own = loop.alloc : memref<1xf32, "shared">
    %read = loop.alloc : memref<1xf32, "shared">
    %beside = loop.alloc : memref<1xf32, "shared">
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      %a = loop.load %A[%t] : memref<64xf32>
      loop.if (%t < 1) {
        loop.store %a, %own[0] : memref<1xf32, "shared">
      }
    }
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.if (%t < 1) {
        %a = loop.load %A[0] : memref<64xf32>
        loop.store %a, %read[0] : memref<1xf32, "shared">
      }
    }
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.if (%t < 1) {
        %a = loop.load %A[1] : memref<64xf32>
        loop.store %a, %beside[0] : memref<1xf32, "shared">
        loop.store %a, %C[%b] : memref<4xf32>
      }
    }
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      %x = loop.load %own[0] : memref<1xf32, "shared">
      %y = loop.load %beside[0] : memref<1xf32, "shared">
      %z = arith.addf %x, %y : f32
      loop.store %z, %B[%t] : memref<64xf32>
      loop.if (%t < 1) {
        %w = loop.load %read[0] : memref<1xf32, "shared">
        loop.store %w, %C[%b] : memref<4xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: memory of one warp is not there for others, and a result that is read before it is there.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-2: loop.alloc : memref<1xf32, "shared">
func.func @apart(%l: memref<2x32xf32, "warp">, %A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %r = loop.alloc : memref<1xf32, "shared">
    %s = loop.alloc : memref<1xf32, "shared">
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.if (%t < 1) {
        %x = loop.load %l[0, %t] : memref<2x32xf32, "warp">
        loop.store %x, %r[0] : memref<1xf32, "shared">
      }
    }
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.if (%t < 1) {
        %x = loop.load %A[0] : memref<64xf32>
        loop.store %x, %s[0] : memref<1xf32, "shared">
      }
      %y = loop.load %s[0] : memref<1xf32, "shared">
      %z = loop.load %r[0] : memref<1xf32, "shared">
      %w = arith.addf %y, %z : f32
      loop.store %w, %B[%t] : memref<64xf32>
    }
  }
  func.return
}
