// RUN: opt-tool --pass lower-prefetch %s | filecheck %s
// RUN: opt-tool --pass lower-prefetch --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// CASE fires: rows of two cache lines, two iterations ahead.
// CHECK-LABEL: func.func @rows(
// CHECK:         loop.for %i = 0 to 64 {
// CHECK-NEXT:      loop.for %line = 0 to 2 {
// CHECK-NEXT:        loop.prefetch %A[%i + 2, %line * 16] : memref<64x32xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      loop.for %j = 0 to 32 {
func.func @rows(%A: memref<64x32xf32>, %B: memref<64x32xf32>) {
  loop.for %i = 0 to 64 {
    loop.prefetch_ahead %A, 2 : memref<64x32xf32>
    loop.for %j = 0 to 32 {
      %a = loop.load %A[%i, %j] : memref<64x32xf32>
      loop.store %a, %B[%i, %j] : memref<64x32xf32>
    }
  }
  func.return
}

// CASE fires: a window of rows, of symbolic length, read by statements that are blocks.
// CHECK-LABEL: func.func @window(
// CHECK:           loop.for %ahead0 = 0 to 3 {
// CHECK-NEXT:        loop.for %line = 0 to ((%n + 15) floordiv 16) {
// CHECK-NEXT:          loop.prefetch %A[%i + %ahead0 + 1, %line * 16] : memref<34x?xf32>
func.func @window(%A: memref<34x?xf32>, %B: memref<32x?xf32>) {
  %n = loop.dim %A, 1 : memref<34x?xf32>
  loop.for %i = 0 to 32 {
    loop.prefetch_ahead %A, 1 : memref<34x?xf32>
    loop.for %j = 0 to %n {
      loop.block "B" (%vi = spatial(%i) in 32, %vj = spatial(%j) in %n) {
        %a = loop.load %A[%vi, %vj] : memref<34x?xf32>
        %b = loop.load %A[%vi + 2, %vj] : memref<34x?xf32>
        %s = arith.addf %a, %b : f32
        loop.store %s, %B[%vi, %vj] : memref<32x?xf32>
      }
    }
  }
  func.return
}

// CASE fires: a request that the iterations of a loop inside share out. Five iterations of %h that read the same ask for
// one of the four lines each, and the fifth one begins again.
// CHECK-LABEL: func.func @shared(
// CHECK:           loop.for %k = 0 to 16 {
// CHECK-NEXT:        loop.prefetch %W[%o * 4 + (%h mod 4) + 4, %k, 0] into 2 : memref<32x16x16xf32>
// CHECK-NEXT:        loop.for %oi = 0 to 4 {
func.func @shared(%W: memref<32x16x16xf32>, %A: memref<5x16xf32>, %B: memref<32x5x16xf32>) {
  loop.for %o = 0 to 8 { loop.for %h = 0 to 5 { loop.for %k = 0 to 16 {
    loop.prefetch_ahead %W, 1 of %o into 2 : memref<32x16x16xf32>
    loop.for %oi = 0 to 4 { loop.for %j = 0 to 16 {
      %a = loop.load %A[%h, %k] : memref<5x16xf32>
      %w = loop.load %W[%o * 4 + %oi, %k, %j] : memref<32x16x16xf32>
      %p = arith.mulf %a, %w : f32
      loop.store %p, %B[%o * 4 + %oi, %h, %j] : memref<32x5x16xf32>
    } }
  } } }
  func.return
}

// CASE fires: more lines than iterations that read the same: each of the two asks for four of eight.
// CHECK-LABEL: func.func @more_lines(
// CHECK:           loop.for %line = 0 to 4 {
// CHECK-NEXT:        loop.prefetch %W[%o * 4 + %h * 2 + (%line floordiv 2) + 8, %k, (%line mod 2) * 16] : memref<32x16x32xf32>
func.func @more_lines(%W: memref<32x16x32xf32>, %B: memref<32x2x32xf32>) {
  loop.for %o = 0 to 8 { loop.for %h = 0 to 2 { loop.for %k = 0 to 16 {
    loop.prefetch_ahead %W, 2 of %o : memref<32x16x32xf32>
    loop.for %oi = 0 to 4 { loop.for %j = 0 to 32 {
      %w = loop.load %W[%o * 4 + %oi, %k, %j] : memref<32x16x32xf32>
      loop.store %w, %B[%o * 4 + %oi, %h, %j] : memref<32x2x32xf32>
    } }
  } } }
  func.return
}

// CASE fires: no number of lines is known: each iteration requests all of its lines.
// CHECK-LABEL: func.func @any_number(
// CHECK:           loop.for %line = 0 to ((%n + 15) floordiv 16) {
// CHECK-NEXT:        loop.prefetch %W[%o + 1, %line * 16] : memref<8x?xf32>
func.func @any_number(%W: memref<8x?xf32>, %B: memref<8x4x?xf32>) {
  %n = loop.dim %W, 1 : memref<8x?xf32>
  loop.for %o = 0 to 8 { loop.for %h = 0 to 4 {
    loop.prefetch_ahead %W, 1 of %o : memref<8x?xf32>
    loop.for %j = 0 to %n {
      %w = loop.load %W[%o, %j] : memref<8x?xf32>
      loop.store %w, %B[%o, %h, %j] : memref<8x4x?xf32>
    }
  } }
  func.return
}

// CASE remarks: the loop whose iterations are meant is gone.
// CHECK-LABEL: func.func @no_such_loop(
// CHECK-NOT: loop.prefetch
// REMARK: remark[TW0548]: nothing is prefetched: the loop whose iterations are meant is not around the request
func.func @no_such_loop(%A: memref<64xf32>, %B: memref<64xf32>, %o: index) {
  loop.for %i = 0 to 64 {
    loop.prefetch_ahead %A, 1 of %o : memref<64xf32>
    %a = loop.load %A[%i] : memref<64xf32>
    loop.store %a, %B[%i] : memref<64xf32>
  }
  func.return
}

// CASE leaves alone: elements that are named already.
// CHECK-LABEL: func.func @named(
// CHECK: loop.prefetch %A[%i + 4] : memref<64xf32>
func.func @named(%A: memref<64xf32>) {
  loop.for %i = 0 to 64 {
    loop.prefetch %A[%i + 4] : memref<64xf32>
    %a = loop.load %A[%i] : memref<64xf32>
    loop.store %a, %A[%i] : memref<64xf32>
  }
  func.return
}

// CASE remarks: what the loop reads does not move with it.
// CHECK-LABEL: func.func @still(
// CHECK-NOT: loop.prefetch
// REMARK: remark[TW0548]: nothing is prefetched: the elements read of %A are the same in all iterations of loop %i
func.func @still(%A: memref<64xf32>, %B: memref<8x64xf32>) {
  loop.for %i = 0 to 8 {
    loop.prefetch_ahead %A, 1 : memref<64xf32>
    loop.for %j = 0 to 64 {
      %a = loop.load %A[%j] : memref<64xf32>
      loop.store %a, %B[%i, %j] : memref<8x64xf32>
    }
  }
  func.return
}

// CASE remarks: another primitive took the buffer's readers away.
// CHECK-LABEL: func.func @gone(
// CHECK-NOT: loop.prefetch
// REMARK: remark[TW0548]: nothing is prefetched: loop %i reads no known part of %A
func.func @gone(%A: memref<64xf32>, %B: memref<64xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 64 {
    loop.prefetch_ahead %A, 1 : memref<64xf32>
    loop.store %one, %B[%i] : memref<64xf32>
  }
  func.return
}

// CASE remarks: the loop has been unrolled, and a condition stands between the loop and the request.
// CHECK-LABEL: func.func @unrolled(
// CHECK-NOT: loop.prefetch
// CHECK: loop.if
// CHECK-NEXT: loop.prefetch %A[%i + 1]
// REMARK: remark[TW0548]: nothing is prefetched: no loop is around the request
func.func @unrolled(%A: memref<64xf32>, %B: memref<64xf32>) {
  loop.prefetch_ahead %A, 1 : memref<64xf32>
  loop.for %i = 0 to 64 {
    loop.if (%i < 60) {
      loop.prefetch_ahead %A, 1 : memref<64xf32>
    }
    %a = loop.load %A[%i] : memref<64xf32>
    loop.store %a, %B[%i] : memref<64xf32>
  }
  func.return
}
