// RUN: opt-tool --pass "vectorize{strict}" --split-input-file --verify-diagnostics --target none %s

// CASE errs: an iteration reads what the one before wrote.
func.func private @recurrence(%A: memref<8xf32>) {
  // expected-error @below {{TW0510}}
  loop.for %i = 1 to 8 kind vectorized {
    %a = loop.load %A[%i - 1] : memref<8xf32>
    loop.store %a, %A[%i] : memref<8xf32>
  }
  func.return
}

// -----

// CASE errs: an inner loop's bounds differ between lanes.
func.func private @triangle(%A: memref<8x8xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-error @below {{loop %i is not vectorised: an inner loop's bounds differ between iterations}}
  loop.for %i = 0 to 8 kind vectorized {
    loop.for %j = 0 to %i { loop.store %one, %A[%j, %i] : memref<8x8xf32> }
  }
  func.return
}

// -----

// CASE errs: an index is loaded.
func.func private @gather(%I: memref<8xi64>, %A: memref<8xf32>, %C: memref<8xf32>) {
  // expected-error @below {{index %x is not an affine expression of the loop's variable}}
  loop.for %i = 0 to 8 kind vectorized {
    %n = loop.load %I[%i] : memref<8xi64>
    %x = arith.index_cast %n : i64 to index
    %a = loop.load %A[%x] : memref<8xf32>
    loop.store %a, %C[%i] : memref<8xf32>
  }
  func.return
}

// -----

// CASE errs: a value goes from one iteration to the next.
func.func private @carries(%A: memref<8xf32>, %C: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  // expected-error @below {{it carries values from one iteration to the next}}
  %s = loop.for %i = 0 to 8 kind vectorized iter_args(%acc = %zero) -> (f32) {
    %a = loop.load %A[%i] : memref<8xf32>
    %n = arith.addf %acc, %a : f32
    loop.yield %n : f32
  }
  loop.store %s, %C[0] : memref<1xf32>
  func.return
}

// -----

func.func private @callee(%C: memref<8xf32>) { func.return }
// CASE errs: a function is called.
func.func private @calls(%C: memref<8xf32>) {
  // expected-error @below {{'func.call' has no vector form}}
  loop.for %i = 0 to 8 kind vectorized { func.call @callee(%C) : (memref<8xf32>) -> () }
  func.return
}

// -----

// CASE errs: the lanes of the first vector are not known.
func.func private @maximum(%n: index, %m: index, %C: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-error @below {{its lower bound is a maximum}}
  loop.for %i = max(%n, %m) to 8 kind vectorized { loop.store %one, %C[%i] : memref<?xf32> }
  func.return
}
