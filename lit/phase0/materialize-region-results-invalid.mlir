// RUN: opt-tool --pass materialize-region-results --verify-diagnostics %s

// CASE errs: there are no graph operations any more.
// expected-error @unknown {{pass 'materialize-region-results' works at level graph, but the module is at level te}}
func.func @square(%X: tensor<4xf32>) -> tensor<4xf32> {
  %r = te.compute "square" [%i to 4] -> tensor<4xf32> {
    %x = te.read %X[%i] : tensor<4xf32>
    %p = arith.mulf %x, %x : f32
    te.yield %p : f32
  }
  func.return %r : tensor<4xf32>
}
