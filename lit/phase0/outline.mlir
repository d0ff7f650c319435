// RUN: opt-tool --pass outline %s | filecheck %s

// CASE fires: equal work is one function, weights are passed in, numbers go along, aliases stay.
// CHECK-LABEL: func.func @main(
func.func @main(%x: tensor<1x4x2x2xf32>) -> tensor<1x16xf32> {
  // CHECK-NEXT: %v = graph.constant resource<"v">
  // CHECK-NEXT: %w = graph.constant resource<"w">
  // CHECK-NEXT: %a = func.call @conv2d_relu(%x, %v) : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  // CHECK-NEXT: %b = func.call @conv2d_relu(%a, %w) : (tensor<1x4x2x2xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x2x2xf32>
  // CHECK-NEXT: %c = func.call @mul(%b) : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  // CHECK-NEXT: %d = func.call @mul_1(%c) : (tensor<1x4x2x2xf32>) -> tensor<1x4x2x2xf32>
  // CHECK-NEXT: %e = graph.flatten %d : tensor<1x16xf32>
  // CHECK-NEXT: func.return %e
  %v = graph.constant resource<"v"> : tensor<4x4x1x1xf32>
  %w = graph.constant resource<"w"> : tensor<4x4x1x1xf32>
  %2 = graph.constant dense<2.0> : tensor<f32>
  %a = graph.fused "conv2d_relu" (%i = %x : tensor<1x4x2x2xf32>, %j = %v : tensor<4x4x1x1xf32>) -> (tensor<1x4x2x2xf32>) {
    %0 = graph.conv2d %i, %j : tensor<1x4x2x2xf32>
    %1 = graph.relu %0 : tensor<1x4x2x2xf32>
    graph.yield %1
  }
  %b = graph.fused "another name" (%i = %a : tensor<1x4x2x2xf32>, %j = %w : tensor<4x4x1x1xf32>) -> (tensor<1x4x2x2xf32>) {
    %p = graph.conv2d %i, %j : tensor<1x4x2x2xf32>
    %q = graph.relu %p : tensor<1x4x2x2xf32>
    graph.yield %q
  }
  %c = graph.mul %b, %2 : tensor<1x4x2x2xf32>
  %d = graph.mul %c, %c : tensor<1x4x2x2xf32>
  %e = graph.flatten %d : tensor<1x16xf32>
  func.return %e : tensor<1x16xf32>
}

// CASE leaves alone: what is private already is a kernel, and its name is taken.
// CHECK: func.func private @relu(
// CHECK-NEXT: graph.relu
func.func private @relu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = graph.relu %x : tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// CASE fires: an operator that stands alone is a kernel as well.
// CHECK-LABEL: func.func @other(
func.func @other(%x: tensor<9xf32>) -> tensor<9xf32> {
  // CHECK-NEXT: func.call @relu_1(%x)
  %y = graph.relu %x : tensor<9xf32>
  func.return %y : tensor<9xf32>
}

// CHECK: func.func private @conv2d_relu(%[[I:.*]]: tensor<1x4x2x2xf32>, %[[J:.*]]: tensor<4x4x1x1xf32>)
// CHECK-NEXT: graph.conv2d %[[I]], %[[J]]
// CHECK-NEXT: graph.relu
// CHECK: func.func private @mul(
// CHECK-NEXT: graph.constant dense<2.000000e+00>
// CHECK-NEXT: graph.mul
// CHECK: func.func private @mul_1(%[[K:.*]]: tensor<1x4x2x2xf32>)
// CHECK-NEXT: graph.mul %[[K]], %[[K]]
