// RUN: opt-tool --pass bufferize --split-input-file --verify-diagnostics %s

// CASE errs: the sizes of a condition's result are not known before it.
func.func @condition(%A: tensor<?xf32>, %p: i1) -> tensor<?xf32> {
  // expected-error@+1 {{TW0571: expected conditions that give tensors of static sizes}}
  %r = scf.if %p -> (tensor<?xf32>) {
    scf.yield %A : tensor<?xf32>
  } else {
    scf.yield %A : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}
