// RUN: opt-tool --pass contract-fma --no-auto-lower --verify-diagnostics --target none %s

// CASE errs: a compute's body is what its author wrote: rounding is decided once it is in a loop.
// expected-error @unknown {{pass 'contract-fma' works at level loop, but the module is at level te}}
func.func @square(%X: tensor<4xf32>) -> tensor<4xf32> {
  %r = te.compute "square" [%i to 4] -> tensor<4xf32> {
    %x = te.read %X[%i] : tensor<4xf32>
    %p = arith.mulf %x, %x : f32
    te.yield %p : f32
  }
  func.return %r : tensor<4xf32>
}
