// RUN: opt-tool --split-input-file --verify-diagnostics %s

func.func private @k() {
  %r = loop.alloc : memref<4xf32, "register">
  // expected-error @+1 {{expected a buffer in memory, but got one in registers}}
  loop.prefetch %r[0] : memref<4xf32, "register">
  func.return
}

// -----

func.func private @now(%A: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    // expected-error @+1 {{expected iterations from the next on, but got 0 ahead}}
    loop.prefetch_ahead %A, 0 : memref<4xf32>
  }
  func.return
}

// -----

func.func private @near() {
  %r = loop.alloc : memref<4xf32, "register">
  loop.for %i = 0 to 4 {
    // expected-error @+1 {{expected a buffer in memory, but got one in registers}}
    loop.prefetch_ahead %r, 1 : memref<4xf32, "register">
  }
  func.return
}

// -----

func.func private @far(%A: memref<4xf32>) {
  // expected-error @+1 {{expected cache 1 or 2, but got 3}}
  loop.prefetch %A[0] into 3 : memref<4xf32>
  func.return
}

// -----

func.func private @far_ahead(%A: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    // expected-error @+1 {{expected cache 1 or 2, but got 0}}
    loop.prefetch_ahead %A, 1 into 0 : memref<4xf32>
  }
  func.return
}
