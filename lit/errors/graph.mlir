// RUN: opt-tool --split-input-file --verify-diagnostics %s

// A cycle.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{TW0101: expected a value that is defined before, but got %b}}
  %a = graph.relu %b : tensor<4xf32>
  %b = graph.relu %a : tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// -----

// The same in the generic form.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{TW0104: value %b is used where its definition does not reach}}
  %a = "graph.relu"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %b = graph.relu %a : tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// -----

// Types that do not fit.
func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.add'}}
  %a = graph.add %x, %y : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// -----

// A call of a function that does not exist.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{TW0103}}
  %a = func.call @nowhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %a : tensor<4xf32>
}
