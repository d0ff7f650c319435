// RUN: opt-tool --pass infer-types --verify-diagnostics %s

// CASE errs: what is wrong shows only once sizes are known.
func.func @later(%x: tensor<2x3xf32>, %w: tensor<5x4xf32>) {
  %r = graph.relu %x : tensor<*xf32>
  %s = graph.unsqueeze %x axes [0] : tensor<1x2x3xf32>
  // expected-error @+1 {{'graph.squeeze' cannot have the operands that it gets: expected dimension 1 to be 1, but got 3}}
  %t = graph.squeeze %r axes [1] : tensor<*xf32>
  func.return
}
