// RUN: opt-tool --pass simplify-inference --split-input-file %s | filecheck %s

// CASE fires: batch normalisation folds into the convolution before it: weights [2, 3] times scale / sqrt(variance +
// epsilon).
// CHECK-LABEL: func.func @batch_norm(
func.func @batch_norm(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  // CHECK-DAG: %[[W:.*]] = graph.constant dense<[{{\[\[\[}}4.000000e+00]]], {{\[\[\[}}9.000000e+00]]]]> : tensor<2x1x1x1xf32>
  // CHECK-DAG: %[[B:.*]] = graph.constant dense<[-1.000000e+00, 1.000000e+01]> : tensor<2xf32>
  // CHECK: %n = graph.conv2d %x, %[[W]], %[[B]] : tensor<1x2x4x4xf32>
  // CHECK-NEXT: func.return %n
  %w = graph.constant dense<[[[[2.0]]], [[[3.0]]]]> : tensor<2x1x1x1xf32>
  %scale = graph.constant dense<[1.0, 6.0]> : tensor<2xf32>
  %shift = graph.constant dense<[1.0, 7.0]> : tensor<2xf32>
  %mean = graph.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %variance = graph.constant dense<[0.0, 3.75]> : tensor<2xf32>
  %c = graph.conv2d %x, %w : tensor<1x2x4x4xf32>
  %n = graph.batch_norm %c, %scale, %shift, %mean, %variance epsilon 0.25 : tensor<1x2x4x4xf32>
  func.return %n : tensor<1x2x4x4xf32>
}

// -----

// CASE fires: parameters that are arguments stay outside.
// CHECK-LABEL: func.func @unknown_parameters(
func.func @unknown_parameters(%x: tensor<1x2x4x4xf32>, %p: tensor<2xf32>) -> tensor<1x2x4x4xf32> {
  // CHECK-NOT: graph.batch_norm
  // CHECK: graph.sqrt
  // CHECK: %[[A:.*]] = graph.unsqueeze %{{.*}} axes [1, 2] : tensor<2x1x1xf32>
  // CHECK: %[[B:.*]] = graph.unsqueeze %{{.*}} axes [1, 2] : tensor<2x1x1xf32>
  // CHECK: graph.mul %x, %[[A]]
  // CHECK: graph.add %{{.*}}, %[[B]]
  %n = graph.batch_norm %x, %p, %p, %p, %p : tensor<1x2x4x4xf32>
  func.return %n : tensor<1x2x4x4xf32>
}

// -----

// CASE leaves alone: weights whose file is not there cannot be scaled.
// CHECK-LABEL: func.func @no_data(
func.func @no_data(%x: tensor<1x1x4x4xf32>) -> tensor<1x2x4x4xf32> {
  // CHECK: %[[C:.*]] = graph.conv2d %x, %w
  // CHECK: graph.mul %[[C]], %s
  %w = graph.constant resource<"w"> : tensor<2x1x1x1xf32>
  %s = graph.constant dense<[[[2.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %c = graph.conv2d %x, %w : tensor<1x2x4x4xf32>
  %m = graph.mul %c, %s : tensor<1x2x4x4xf32>
  func.return %m : tensor<1x2x4x4xf32>
}

// -----

// CASE leaves alone: a convolution that something else uses too keeps its weights.
// CHECK-LABEL: func.func @two_uses(
func.func @two_uses(%x: tensor<1x1x4x4xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) {
  // CHECK: graph.conv2d
  // CHECK: graph.mul
  %w = graph.constant dense<2.0> : tensor<1x1x1x1xf32>
  %s = graph.constant dense<3.0> : tensor<f32>
  %c = graph.conv2d %x, %w : tensor<1x1x4x4xf32>
  %m = graph.mul %c, %s : tensor<1x1x4x4xf32>
  func.return %c, %m : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>
}

// -----

// CASE leaves alone: a constant that varies along the width is no scale of channels.
// CHECK-LABEL: func.func @not_a_channel(
func.func @not_a_channel(%x: tensor<1x1x1x2xf32>) -> tensor<1x1x1x2xf32> {
  // CHECK: graph.conv2d
  // CHECK: graph.add
  %w = graph.constant dense<2.0> : tensor<1x1x1x1xf32>
  %s = graph.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %c = graph.conv2d %x, %w : tensor<1x1x1x2xf32>
  %m = graph.add %c, %s : tensor<1x1x1x2xf32>
  func.return %m : tensor<1x1x1x2xf32>
}

// -----

// CASE fires: (x * 2 + 3) * 5 + 7 is x * 10 + 22; dropout and identity go.
// CHECK-LABEL: func.func @chain(
func.func @chain(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: %[[A:.*]] = graph.constant dense<1.000000e+01> : tensor<f32>
  // CHECK-NEXT: %[[M:.*]] = graph.mul %x, %[[A]] : tensor<4xf32>
  // CHECK-NEXT: %[[B:.*]] = graph.constant dense<2.200000e+01> : tensor<f32>
  // CHECK-NEXT: %[[R:.*]] = graph.add %[[M]], %[[B]] : tensor<4xf32>
  // CHECK-NEXT: func.return %[[R]]
  %2 = graph.constant dense<2.0> : tensor<f32>
  %3 = graph.constant dense<3.0> : tensor<f32>
  %5 = graph.constant dense<5.0> : tensor<f32>
  %7 = graph.constant dense<7.0> : tensor<f32>
  %a = graph.mul %x, %2 : tensor<4xf32>
  %b = graph.identity %a : tensor<4xf32>
  %c = graph.add %3, %b : tensor<4xf32>
  %d = graph.dropout %c : tensor<4xf32>
  %e = graph.mul %d, %5 : tensor<4xf32>
  %f = graph.add %e, %7 : tensor<4xf32>
  func.return %f : tensor<4xf32>
}

// -----

// CASE leaves alone: integers are exact as they are.
// CHECK-LABEL: func.func @integers(
func.func @integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  // CHECK: graph.mul
  // CHECK: graph.mul
  %2 = graph.constant dense<2> : tensor<i32>
  %a = graph.mul %x, %2 : tensor<4xi32>
  %b = graph.mul %a, %2 : tensor<4xi32>
  func.return %b : tensor<4xi32>
}
