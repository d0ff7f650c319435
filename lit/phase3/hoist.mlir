// RUN: opt-tool --pass hoist %s | filecheck %s

// CASE fires: what does not depend on the loop goes in front, a condition around it.
// CHECK-LABEL: func.func private @invariant(
// CHECK-NEXT:    %s = loop.load %S[0] : memref<1xf32>
// CHECK-NEXT:    %v = vector.broadcast %s : f32 to vector<8xf32>
// CHECK-NEXT:    loop.if (%n >= 1) {
// CHECK-NEXT:      loop.for %i = 0 to 8 {
// CHECK-NEXT:        loop.store %v, %A[%i * 8 + lane] : vector<8xf32>, memref<64xf32>
func.func private @invariant(%n: index, %S: memref<1xf32>, %A: memref<64xf32>) {
  loop.for %i = 0 to 8 {
    %s = loop.load %S[0] : memref<1xf32>
    %v = vector.broadcast %s : f32 to vector<8xf32>
    loop.if (%n >= 1) { loop.store %v, %A[%i * 8 + lane] : vector<8xf32>, memref<64xf32> }
  }
  func.return
}

// CASE fires: out of two loops, as far as the operands allow.
// CHECK-LABEL: func.func private @nested(
// CHECK:         loop.for %i = 0 to 8 {
// CHECK-NEXT:      %a = loop.load %A[%i] : memref<8xf32>
// CHECK-NEXT:      loop.for %j = 0 to 4 kind unrolled {
// CHECK-NEXT:        loop.store %a, %C[%i, %j] : memref<8x4xf32>
func.func private @nested(%A: memref<8xf32>, %C: memref<8x4xf32>) {
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 4 kind unrolled {
      %a = loop.load %A[%i] : memref<8xf32>
      loop.store %a, %C[%i, %j] : memref<8x4xf32>
    }
  }
  func.return
}

// CASE leaves alone: the buffer is written in the loop; the loop may not run and the index may be outside; a division
// may trap; nothing leaves a parallel loop.
// CHECK-LABEL: func.func private @stays(
// CHECK-NEXT:    loop.for %i = 0 to %n {
// CHECK-NEXT:      loop.load %A[0]
// CHECK-NEXT:      loop.load %B[%m]
// CHECK-NEXT:      arith.divsi
// CHECK:         loop.for %i_1 = 0 to 4 kind parallel {
// CHECK-NEXT:      loop.load %B[0]
func.func private @stays(%n: index, %m: index, %x: i32, %y: i32, %A: memref<8xf32>, %B: memref<8xf32>, %I: memref<8xi32>) {
  loop.for %i = 0 to %n {
    %a = loop.load %A[0] : memref<8xf32>
    %b = loop.load %B[%m] : memref<8xf32>
    %q = arith.divsi %x, %y : i32
    %s = arith.addf %a, %b : f32
    loop.store %s, %A[%i] : memref<8xf32>
    loop.store %q, %I[%i] : memref<8xi32>
  }
  loop.for %i = 0 to 4 kind parallel {
    %b = loop.load %B[0] : memref<8xf32>
    loop.store %b, %A[%i] : memref<8xf32>
  }
  func.return
}

// CASE fires: a condition beside other statements of an innermost loop is asked once, and so is its `else`.
// CHECK-LABEL: func.func @beside(
// CHECK-NEXT:    %c = loop.load %A[0] : memref<8xf32>
// CHECK-NEXT:    loop.if (%n >= 1) {
// CHECK-NEXT:      loop.for %i = 0 to 8 {
// CHECK-NEXT:        loop.store %c, %B[%i] : memref<8xf32>
// CHECK-NEXT:        loop.store %c, %C[%i] : memref<8xf32>
// CHECK-NEXT:        loop.store %c, %C[0] : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    } else {
// CHECK-NEXT:      loop.for %i_1 = 0 to 8 {
// CHECK-NEXT:        loop.store %c, %B[%i_1] : memref<8xf32>
// CHECK-NEXT:        loop.store %c, %C[7] : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
func.func @beside(%n: index, %A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    %c = loop.load %A[0] : memref<8xf32>
    loop.store %c, %B[%i] : memref<8xf32>
    loop.if (%n >= 1) { loop.store %c, %C[%i] : memref<8xf32> } else { loop.store %c, %C[7] : memref<8xf32> }
    loop.if (%n >= 1) { loop.store %c, %C[0] : memref<8xf32> }
  }
  func.return
}

// CASE fires: the part of a condition that does not depend on the loops leaves both of them.
// CHECK-LABEL: func.func @part(
// CHECK-NEXT:    loop.if (%n >= 1) {
// CHECK-NEXT:      loop.for %i = 0 to 8 {
// CHECK-NEXT:        loop.if (%i < %n) {
// CHECK-NEXT:          loop.for %j = 0 to 8 {
// CHECK-NEXT:            loop.if (%j < 5) {
func.func @part(%n: index, %x: f32, %C: memref<8x8xf32>) {
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 8 {
      loop.if (%j < 5, %i < %n, %n >= 1) { loop.store %x, %C[%i, %j] : memref<8x8xf32> }
    }
  }
  func.return
}

// CASE fires: an assertion is asked once where the loop runs; the load behind it goes with it.
// CHECK-LABEL: func.func @checked(
// CHECK-NEXT:    loop.assert (%k >= 0, %k < 8), "outside: {}" (%k)
// CHECK-NEXT:    %a = loop.load %A[%k] : memref<8xf32>
// CHECK-NEXT:    loop.for %i = 0 to 8 {
// CHECK-NEXT:      loop.store %a
func.func @checked(%k: index, %A: memref<8xf32>, %C: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    loop.assert (%k >= 0, %k < 8), "outside: {}" (%k)
    %a = loop.load %A[%k] : memref<8xf32>
    loop.store %a, %C[%i] : memref<8xf32>
  }
  func.return
}

// CASE fires: the values in the message of an assertion do not keep it in the loop: it fails in the first iteration.
// CHECK-LABEL: func.func @told(
// CHECK-NEXT:    loop.assert (%k < 8), "outside: {}, {}" (%k, 2)
// CHECK-NEXT:    loop.for %i = 2 to 8 {
func.func @told(%k: index, %x: f32, %C: memref<8xf32>) {
  loop.for %i = 2 to 8 {
    loop.assert (%k < 8), "outside: {}, {}" (%k, %i)
    loop.store %x, %C[%i] : memref<8xf32>
  }
  func.return
}

// CASE leaves alone: the loop may not run, and no load overtakes the assertion that it stays inside.
// CHECK-LABEL: func.func @unchecked(
func.func @unchecked(%n: index, %k: index, %x: f32, %A: memref<8xf32>, %C: memref<8xf32>) {
  loop.for %i = 0 to %n {
    loop.assert (%k >= 0, %k < 8), "outside: {}" (%k)
    %a = loop.load %A[%k] : memref<8xf32>
    loop.store %a, %C[%i] : memref<8xf32>
  }
  loop.for %i = 0 to 8 {
    loop.store %x, %C[%i] : memref<8xf32>
    loop.if (%i < %n) { loop.assert (%k >= 0, %k < 8), "outside: {}" (%k) }
    %a = loop.load %A[%k] where (%n >= 8) else %x : memref<8xf32>
    loop.store %a, %C[%i] : memref<8xf32>
  }
  func.return
}

// CASE leaves alone: copies of nests are not worth it; threads stay where they are; values are carried on.
// CHECK-LABEL: func.func @nests(
func.func @nests(%n: index, %x: f32, %C: memref<8x8xf32>, %D: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 8 { loop.store %x, %C[%i, %j] : memref<8x8xf32> }
    loop.if (%n >= 1) { loop.store %x, %C[%i, 0] : memref<8x8xf32> }
  }
  loop.for %i = 0 to 8 kind parallel {
    loop.if (%n >= 1) { loop.store %x, %D[%i] : memref<8xf32> }
  }
  loop.for %i = 0 to 8 kind thread<"blockIdx.x"> {
    loop.if (%n >= 1) { loop.store %x, %D[%i] : memref<8xf32> }
  }
  %r = loop.for %i = 0 to 8 iter_args(%a = %x) -> (f32) {
    %b = arith.addf %a, %x : f32
    loop.if (%n >= 1) { loop.store %b, %D[%i] : memref<8xf32> }
    loop.yield %b : f32
  }
  loop.store %r, %D[0] : memref<8xf32>
  func.return
}

// CASE leaves alone: all threads wait at one barrier, those that the condition holds for and those that it does not.
// CHECK-LABEL: func.func @barrier(
func.func @barrier(%x: f32, %C: memref<8x4xf32>) {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    loop.for %k = 0 to 4 {
      loop.barrier <"shared">
      loop.if (%t < 5) { loop.store %x, %C[%t, %k] : memref<8x4xf32> }
    }
  }
  func.return
}

// CASE leaves alone: where the loop has no iteration, another thread may be writing what is loaded.
// CHECK-LABEL: func.func @other_threads(
// CHECK:         loop.for %j = 0 to -%t + 1 {
// CHECK-NEXT:      %a = loop.load %s[0] : memref<1xf32, "shared">
func.func @other_threads(%x: f32, %C: memref<8xf32>) {
  %s = loop.alloc : memref<1xf32, "shared">
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    loop.if (%t < 1) { loop.store %x, %s[0] : memref<1xf32, "shared"> }
    loop.for %j = 0 to -%t + 1 {
      %a = loop.load %s[0] : memref<1xf32, "shared">
      loop.store %a, %C[%j] : memref<8xf32>
    }
  }
  func.return
}

// CASE fires: no other thread writes what a thread has for itself, so it may be loaded where the loop has no iteration.
// CHECK-LABEL: func.func @own_thread(
// CHECK:         loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
// CHECK-NEXT:      %p = loop.alloc : memref<1xf32, "local">
// CHECK:           %b = loop.load %p[0] : memref<1xf32, "local">
// CHECK-NEXT:      loop.for %j = 0 to -%t + 1 {
// CHECK-NEXT:        loop.store %b
func.func @own_thread(%x: f32, %D: memref<8xf32>) {
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    %p = loop.alloc : memref<1xf32, "local">
    loop.store %x, %p[0] : memref<1xf32, "local">
    loop.for %j = 0 to -%t + 1 {
      %b = loop.load %p[0] : memref<1xf32, "local">
      loop.store %b, %D[%j] : memref<8xf32>
    }
  }
  func.return
}

// CASE fires: a barrier of threads inside of the loop concerns them alone.
// CHECK-LABEL: func.func @outside_of_threads(
// CHECK-NEXT:    %a = loop.load %A[0] : memref<8xf32>
// CHECK-NEXT:    loop.for %i = 0 to 4 {
// CHECK-NEXT:      loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
func.func @outside_of_threads(%A: memref<8xf32>, %C: memref<4x8xf32>) {
  loop.for %i = 0 to 4 {
    %a = loop.load %A[0] : memref<8xf32>
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      loop.barrier <"shared">
      loop.store %a, %C[%i, %t] : memref<4x8xf32>
    }
  }
  func.return
}
