// RUN: opt-tool --pass bufferize --split-input-file --verify-diagnostics %s

// CASE errs: the branches of a condition may give tensors of different sizes.
func.func @condition(%A: tensor<?xf32>, %B: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  // expected-error@+1 {{TW0575: expected tensors of one size}}
  %r = scf.if %p -> (tensor<?xf32>) {
    scf.yield %A : tensor<?xf32>
  } else {
    scf.yield %B : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
