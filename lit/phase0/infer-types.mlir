// RUN: opt-tool --pass infer-types --split-input-file %s | filecheck %s

// CASE fires: sizes left open become known, through groups and out of functions.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME:      -> tensor<1x4x4x4xf32>
func.func @sizes(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<?x?x?x?xf32> {
  // CHECK-NEXT: graph.conv2d %x, %w strides [2, 2] padding [1, 1, 1, 1] : tensor<1x4x4x4xf32>
  %c = graph.conv2d %x, %w strides [2, 2] padding [1, 1, 1, 1] : tensor<?x?x?x?xf32>
  // CHECK-NEXT: graph.fused "relu" (%a = %c : tensor<1x4x4x4xf32>) -> (tensor<1x4x4x4xf32>) {
  // CHECK-NEXT:   graph.relu %a : tensor<1x4x4x4xf32>
  %r = graph.fused "relu" (%a = %c : tensor<?x?x?x?xf32>) -> (tensor<?x?x?x?xf32>) {
    %0 = graph.relu %a : tensor<?x?x?x?xf32>
    graph.yield %0
  }
  // CHECK: func.return %r : tensor<1x4x4x4xf32>
  func.return %r : tensor<?x?x?x?xf32>
}

// -----

// CASE fires: a callee is done before its caller, wherever it stands.
// CHECK-LABEL: func.func @caller(
func.func @caller(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  // CHECK-NEXT: func.call @callee(%x) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %y = func.call @callee(%x) : (tensor<2x3xf32>) -> tensor<*xf32>
  func.return %y : tensor<*xf32>
}
// CHECK: func.func private @callee(%x: tensor<2x3xf32>) -> tensor<3x2xf32>
func.func private @callee(%x: tensor<2x3xf32>) -> tensor<*xf32> {
  %y = graph.transpose %x permutation [1, 0] : tensor<*xf32>
  func.return %y : tensor<*xf32>
}

// -----

// CASE fires: names of sizes are found; arguments stay as they are.
// CHECK-LABEL: func.func @names(%x: tensor<?x4xf32, #graph.dims<n, _>>, %y: tensor<?xf32>)
func.func @names(%x: tensor<?x4xf32, #graph.dims<n, _>>, %y: tensor<?xf32>) {
  // CHECK-NEXT: graph.relu %x : tensor<?x4xf32, #graph.dims<n, _>>
  %r = graph.relu %x : tensor<?x4xf32>
  // CHECK-NEXT: graph.relu %y : tensor<?xf32>
  %s = graph.relu %y : tensor<?xf32>
  func.return
}

// -----

// CASE leaves alone: every size is known.
// CHECK-LABEL: func.func @known(
// CHECK-NEXT:    graph.relu %x : tensor<2x3xf32>
func.func @known(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = graph.relu %x : tensor<2x3xf32>
  func.return %y : tensor<2x3xf32>
}
