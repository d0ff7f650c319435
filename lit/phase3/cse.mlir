// RUN: opt-tool --pass cse %s | filecheck %s

// CASE fires: equal loads and sums are one, in branches below the first too.
// CHECK-LABEL: func.func private @equal(
// CHECK:         loop.for %i = 0 to 8 {
// CHECK-NEXT:      %a = loop.load %A[%i] : memref<8xf32>
// CHECK-NEXT:      %s = arith.addf %a, %a : f32
// CHECK-NEXT:      loop.if (%i < 4) {
// CHECK-NEXT:        loop.store %s, %C[%i] : memref<8xf32>
func.func private @equal(%A: memref<8xf32>, %C: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i] : memref<8xf32>
    %b = loop.load %A[%i] : memref<8xf32>
    %s = arith.addf %a, %b : f32
    loop.if (%i < 4) {
      %t = arith.addf %a, %a : f32
      loop.store %t, %C[%i] : memref<8xf32>
    }
  }
  func.return
}

// CASE leaves alone: a store to the buffer lies between, in a later iteration too; a branch does not dominate the
// other; the types differ.
// CHECK-LABEL: func.func private @different(
// CHECK-COUNT-6: loop.load
// CHECK:         func.return
func.func private @different(%A: memref<8xf32>, %C: memref<8xf32>) {
  %before = loop.load %A[0] : memref<8xf32>
  loop.for %i = 0 to 4 {
    %a = loop.load %A[0] : memref<8xf32>
    loop.store %a, %C[%i] : memref<8xf32>
    %s = arith.addf %a, %before : f32
    loop.store %s, %A[0] : memref<8xf32>
    %b = loop.load %A[0] : memref<8xf32>
    loop.store %b, %C[%i + 4] : memref<8xf32>
  }
  loop.for %i = 0 to 4 {
    loop.if (%i < 2) {
      %a = loop.load %A[%i] : memref<8xf32>
      loop.store %a, %C[0] : memref<8xf32>
    } else {
      %a = loop.load %A[%i] : memref<8xf32>
      loop.store %a, %C[1] : memref<8xf32>
    }
    %v = loop.load %A[%i + lane] : memref<8xf32>, vector<4xf32>
    loop.store %v, %C[lane] : vector<4xf32>, memref<8xf32>
  }
  func.return
}

// CASE fires: loads with equal guards, scalars and vectors; a store to a buffer that overlaps nothing of theirs, a
// barrier for other memory and a call that gets other buffers lie between.
// CHECK-LABEL: func.func private @unwritten(
// CHECK:         %a = loop.load %A[%i] where (%i < 4) else %z : memref<8xf32>
// CHECK-NEXT:    %v = loop.load %A[lane + 4] where (%i + lane < 6) else %z : memref<8xf32>, vector<4xf32>
// CHECK-NEXT:    loop.store %a, %C[%i] : memref<8xf32>
// CHECK-NEXT:    loop.barrier <"shared">
// CHECK-NEXT:    loop.call_extern "g"(
// CHECK-NEXT:    loop.store %a, %C[%i] : memref<8xf32>
// CHECK-NEXT:    loop.store %v, %C[lane] : vector<4xf32>, memref<8xf32>
func.func private @unwritten(%A: memref<8xf32>, %C: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 kind thread<"threadIdx.x"> {
    %a = loop.load %A[%i] where (%i < 4) else %z : memref<8xf32>
    %v = loop.load %A[lane + 4] where (%i + lane < 6) else %z : memref<8xf32>, vector<4xf32>
    loop.store %a, %C[%i] : memref<8xf32>
    loop.barrier <"shared">
    loop.call_extern "g"(read %A[0] box [8] : memref<8xf32>, write %C[0] box [8] : memref<8xf32>)
    %b = loop.load %A[%i] where (%i < 4) else %z : memref<8xf32>
    loop.store %b, %C[%i] : memref<8xf32>
    %w = loop.load %A[lane + 4] where (%i + lane < 6) else %z : memref<8xf32>, vector<4xf32>
    loop.store %w, %C[lane] : vector<4xf32>, memref<8xf32>
  }
  func.return
}

// CASE leaves alone: guards, `else` values, or numbers of lanes differ.
// CHECK-LABEL: func.func private @guards(
// CHECK-COUNT-6: loop.load
// CHECK:         func.return
func.func private @guards(%A: memref<8xf32>, %C: memref<64xf32>) {
  %z = arith.constant 0.0 : f32
  %o = arith.constant 1.0 : f32
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i] where (%i < 4) else %z : memref<8xf32>
    %b = loop.load %A[%i] where (%i < 5) else %z : memref<8xf32>
    %c = loop.load %A[%i] where (%i < 4) else %o : memref<8xf32>
    %d = loop.load %A[%i] : memref<8xf32>
    loop.store %a, %C[%i] : memref<64xf32>
    loop.store %b, %C[%i + 8] : memref<64xf32>
    loop.store %c, %C[%i + 16] : memref<64xf32>
    loop.store %d, %C[%i + 24] : memref<64xf32>
    %v = loop.load %A[lane] where (%i + lane < 6) else %z : memref<8xf32>, vector<4xf32>
    %w = loop.load %A[lane] where (%i < 6) else %z : memref<8xf32>, vector<4xf32>
    loop.store %v, %C[lane + 32] : vector<4xf32>, memref<64xf32>
    loop.store %w, %C[lane + 40] : vector<4xf32>, memref<64xf32>
  }
  func.return
}

// CASE leaves alone: a view of the same memory is written.
// CHECK-LABEL: func.func private @alias(
// CHECK-COUNT-2: loop.load %V
// CHECK:         func.return
func.func private @alias(%A: memref<16xf32>, %C: memref<2xf32>) {
  %V = loop.view %A[0] : memref<16xf32> to memref<8xf32>
  %W = loop.view %A[4] : memref<16xf32> to memref<8xf32>
  %a = loop.load %V[6] : memref<8xf32>
  loop.store %a, %C[0] : memref<2xf32>
  %t = arith.addf %a, %a : f32
  loop.store %t, %W[2] : memref<8xf32>
  %b = loop.load %V[6] : memref<8xf32>
  loop.store %b, %C[1] : memref<2xf32>
  func.return
}

// CASE leaves alone: a call may write the buffer, or a foreign call says that it does.
// CHECK-LABEL: func.func private @calls(
// CHECK-COUNT-3: loop.load %A
// CHECK:         func.return
func.func private @callee(%A: memref<8xf32>)
func.func private @calls(%A: memref<8xf32>, %C: memref<4xf32>) {
  %a = loop.load %A[0] : memref<8xf32>
  loop.store %a, %C[0] : memref<4xf32>
  func.call @callee(%A) : (memref<8xf32>) -> ()
  %b = loop.load %A[0] : memref<8xf32>
  loop.store %b, %C[1] : memref<4xf32>
  loop.call_extern "g"(update %A[0] box [8] : memref<8xf32>)
  %c = loop.load %A[0] : memref<8xf32>
  loop.store %c, %C[2] : memref<4xf32>
  func.return
}

// CASE leaves alone: behind a barrier, or a wait for copies, stands what other threads wrote.
// CHECK-LABEL: func.func private @barriers(
// CHECK-COUNT-3: loop.load %s
// CHECK:         loop.barrier <"global">
// CHECK-NEXT:    %w = loop.load %A[-%t + 7]
// CHECK-NEXT:    loop.store %w
// CHECK:         func.return
func.func private @barriers(%A: memref<8xf32>, %C: memref<32xf32>) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<8xf32, "shared">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %v = loop.load %A[7 - %t] : memref<8xf32>
      %x = loop.load %s[7 - %t] : memref<8xf32, "shared">
      loop.store %x, %C[%t] : memref<32xf32>
      loop.barrier <"shared">
      %y = loop.load %s[7 - %t] : memref<8xf32, "shared">
      loop.store %y, %C[%t + 8] : memref<32xf32>
      loop.async_wait <0>
      %z = loop.load %s[7 - %t] : memref<8xf32, "shared">
      loop.store %z, %C[%t + 16] : memref<32xf32>
      loop.store %v, %C[%t + 24] : memref<32xf32>
      loop.barrier <"global">
      %w = loop.load %A[7 - %t] : memref<8xf32>
      loop.store %w, %C[%t + 24] : memref<32xf32>
    }
  }
  func.return
}
