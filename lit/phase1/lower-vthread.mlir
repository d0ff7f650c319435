// RUN: opt-tool --pass lower-vthread %s | filecheck %s
// RUN: opt-tool --pass "lower-vthread{unroll_below=1}" %s | filecheck %s --check-prefix=SERIAL

// CASE fires: each thread has its part of the accumulator, and the loop over the threads is inside.
// CHECK-LABEL: func.func @interleaved(
// CHECK: %acc = loop.alloc : memref<8xf32>
// CHECK-NEXT: loop.for %v = 0 to 2 kind unrolled {
// CHECK-NEXT: loop.store %x, %acc[%v * 4] : memref<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: loop.for %k = 0 to 64 {
// CHECK-NEXT: loop.for %[[V:.*]] = 0 to 2 kind unrolled {
// CHECK-NEXT: %[[A:.*]] = loop.load %A[%k, %[[V]]] : memref<64x2xf32>
// CHECK-NEXT: loop.store %[[A]], %acc[%[[V]] * 4 + (%k mod 4)] : memref<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @interleaved(%A: memref<64x2xf32>, %x: f32) {
  loop.for %v = 0 to 2 kind vthread {
    %acc = loop.alloc : memref<4xf32>
    loop.store %x, %acc[0] : memref<4xf32>
    loop.for %k = 0 to 64 {
      %a = loop.load %A[%k, %v] : memref<64x2xf32>
      loop.store %a, %acc[%k mod 4] : memref<4xf32>
    }
  }
  func.return
}

// CASE fires: the bound depends on the thread, and a loaded value goes from one statement to the next: threads run in
// turn.
// CHECK-LABEL: func.func @in_turn(
// CHECK: loop.for %v = 0 to 20 {
// CHECK-NEXT: loop.for %k = 0 to %v {
// CHECK: loop.for %w = 0 to 2 kind unrolled {
// CHECK-NEXT: %a = loop.load
// CHECK-NEXT: loop.for %k
func.func @in_turn(%A: memref<64x20xf32>, %x: f32) {
  loop.for %v = 0 to 20 kind vthread {
    loop.for %k = 0 to %v {
      loop.store %x, %A[%k, %v] : memref<64x20xf32>
    }
  }
  loop.for %w = 0 to 2 kind vthread {
    %a = loop.load %A[0, %w] : memref<64x20xf32>
    loop.for %k = 1 to 64 {
      loop.store %a, %A[%k, %w] : memref<64x20xf32>
    }
  }
  func.return
}

// CASE leaves alone: threads of a card run at once; they are the backend's.
// CHECK-LABEL: func.func @threads(
// CHECK-NEXT:    loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
func.func @threads(%A: memref<4xf32>, %x: f32) {
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> { loop.store %x, %A[%t] : memref<4xf32> }
  func.return
}

// CASE fires: threads are interleaved by a loop, or replicated where it is unrolled; among registers it has to be.
// CHECK-LABEL: func.func @two_forms(
// CHECK:      %a = loop.alloc (%n) : memref<2x?xf32>
// CHECK:      loop.for %{{.*}} = 0 to 2 kind unrolled {
// CHECK:        loop.store %{{.*}}, %a[%{{.*}}, %{{.*}}] : memref<2x?xf32>
// SERIAL-LABEL: func.func @two_forms(
// SERIAL:      %r = loop.alloc : memref<2x1x1xf32, "register">
// SERIAL:      loop.for %i = 0 to %n {
// SERIAL-NEXT:   loop.for %{{.*}} = 0 to 2 {
// SERIAL:          loop.store %{{.*}}, %a[
// SERIAL:        loop.for %{{.*}} = 0 to 2 kind unrolled {
// SERIAL:          loop.store %{{.*}}, %r[
func.func @two_forms(%A: memref<64x2xf32>, %n: index) {
  loop.for %v = 0 to 2 kind vthread {
    %a = loop.alloc (%n) : memref<?xf32>
    %r = loop.alloc : memref<1x1xf32, "register">
    loop.for %i = 0 to %n {
      %y = loop.load %A[0, %v] : memref<64x2xf32>
      loop.store %y, %a[%i] : memref<?xf32>
    }
    loop.for %i = 0 to 1 kind unrolled {
      %z = loop.load %A[1, %v] : memref<64x2xf32>
      loop.store %z, %r[0, 0] : memref<1x1xf32, "register">
    }
  }
  func.return
}

// CASE fires: what all threads would fill alike is one buffer, which the first one fills.
// CHECK-LABEL: func.func @in_common(
// CHECK:      %a = loop.alloc : memref<8xf32>
// CHECK-NEXT: loop.for %i = 0 to 8 {
// CHECK-NEXT:   loop.for %{{.*}} = 0 to 1 kind unrolled {
// CHECK:          loop.store %{{.*}}, %a[%i] : memref<8xf32>
// CHECK:      loop.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:   loop.for %[[V:.*]] = 0 to 2 kind unrolled {
// CHECK-NEXT:     %{{.*}} = loop.load %a[%{{.*}}] : memref<8xf32>
// CHECK-NEXT:     loop.store %{{.*}}, %A[%{{.*}}, %[[V]]] : memref<8x2xf32>
func.func @in_common(%X: memref<8xf32>, %A: memref<8x2xf32>) {
  loop.for %v = 0 to 2 kind vthread {
    %a = loop.alloc : memref<8xf32>
    loop.for %i = 0 to 8 {
      %x = loop.load %X[%i] : memref<8xf32>
      loop.store %x, %a[%i] : memref<8xf32>
    }
    loop.for %i = 0 to 8 {
      %y = loop.load %a[%i] : memref<8xf32>
      loop.store %y, %A[%i, %v] : memref<8x2xf32>
    }
  }
  func.return
}
