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
// REMARK: remark[TW0548]: nothing is prefetched: what is read of %A is the same in all iterations of loop %i
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
