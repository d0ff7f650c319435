// RUN: opt-tool --pass lower-graph --verify-diagnostics %s

// CASE errs: a group has to be outlined as a kernel first.
func.func @group(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{expected fused groups to be outlined first}}
  %r = graph.fused "g" (%a = %x : tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = graph.relu %a : tensor<8xf32>
    graph.yield %0
  }
  func.return %r : tensor<8xf32>
}
