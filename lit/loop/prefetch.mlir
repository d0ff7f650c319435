// RUN: ROUNDTRIP
// RUN: opt-tool --pass flatten-buffers %s | filecheck %s --check-prefix=FLAT

// CHECK-LABEL: func.func private @k(
// FLAT: loop.prefetch %A[%i * 32 + 128] : memref<2048xf32>
func.func private @k(%A: memref<64x32xf32>) {
  loop.for %i = 0 to 64 {
    // CHECK: loop.prefetch_ahead %A, 2 attributes {note = 1 : i64} : memref<64x32xf32>
    loop.prefetch_ahead %A, 2 attributes {note = 1 : i64} : memref<64x32xf32>
    // CHECK: loop.prefetch %A[%i + 4, 0] : memref<64x32xf32>
    loop.prefetch %A[%i + 4, 0] : memref<64x32xf32>
    // CHECK: loop.prefetch %A[%i, 0] into 2 : memref<64x32xf32>
    loop.prefetch %A[%i, 0] into 2 : memref<64x32xf32>
    loop.for %j = 0 to 32 {
      // CHECK: loop.prefetch_ahead %A, 1 of %i into 2 : memref<64x32xf32>
      loop.prefetch_ahead %A, 1 of %i into 2 : memref<64x32xf32>
    }
  }
  func.return
}
