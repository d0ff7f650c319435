// RUN: opt-tool --split-input-file --verify-diagnostics %s

func.func @ending(%x: tensor<8xf32>, %c: tensor<i1>) {
  // expected-error @+1 {{expected te.yield at the end, but got nothing}}
  %y = te.if %c -> (tensor<8xf32>) {
  } else {
    te.yield %x : tensor<8xf32>
  }
  func.return
}
