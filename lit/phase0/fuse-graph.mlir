// RUN: opt-tool --pass fuse --split-input-file %s | filecheck %s

// CASE fires: a convolution takes its epilogue, scalars included; weights and the other branch of the sum come from
// outside.
// CHECK-LABEL: func.func @epilogue(
func.func @epilogue(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>, %b: tensor<4x1x1xf32>) -> tensor<1x4x8x8xf32> {
  // CHECK-NEXT: %r = graph.fused "conv2d_add_mul_add_relu" (%x_1 = %x : tensor<1x4x8x8xf32>, %w_1 = %w : tensor<4x4x1x1xf32>, %b_1 = %b : tensor<4x1x1xf32>) -> (tensor<1x4x8x8xf32>) {
  // CHECK-NEXT:   %c = graph.conv2d %x_1, %w_1
  // CHECK-NEXT:   %d = graph.add %c, %b_1
  // CHECK-NEXT:   %two = graph.constant dense<2.000000e+00>
  // CHECK-NEXT:   %e = graph.mul %d, %two
  // CHECK-NEXT:   %f = graph.add %e, %x_1
  // CHECK-NEXT:   %r_1 = graph.relu %f
  // CHECK-NEXT:   graph.yield %r_1
  // CHECK-NEXT: }
  // CHECK-NEXT: func.return %r
  %two = graph.constant dense<2.0> : tensor<f32>
  %c = graph.conv2d %x, %w : tensor<1x4x8x8xf32>
  %d = graph.add %c, %b : tensor<1x4x8x8xf32>
  %e = graph.mul %d, %two : tensor<1x4x8x8xf32>
  %f = graph.add %e, %x : tensor<1x4x8x8xf32>
  %r = graph.relu %f : tensor<1x4x8x8xf32>
  func.return %r : tensor<1x4x8x8xf32>
}

// -----

// CASE fires: paths that part and meet again are one group: sigmoid(x) * x.
// CHECK-LABEL: func.func @diamond(
func.func @diamond(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: graph.fused "exp_sigmoid_mul"
  %e = graph.exp %x : tensor<8xf32>
  %s = graph.sigmoid %e : tensor<8xf32>
  %m = graph.mul %s, %e : tensor<8xf32>
  func.return %m : tensor<8xf32>
}

// -----

// CASE fires: of two convolutions that meet in a sum, the first takes it.
// CHECK-LABEL: func.func @residual(
func.func @residual(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x8x8xf32> {
  // CHECK-NEXT: %b = graph.conv2d %x, %w
  // CHECK-NEXT: graph.fused "conv2d_add"
  %a = graph.conv2d %x, %w : tensor<1x4x8x8xf32>
  %b = graph.conv2d %x, %w : tensor<1x4x8x8xf32>
  %s = graph.add %a, %b : tensor<1x4x8x8xf32>
  func.return %s : tensor<1x4x8x8xf32>
}

// -----

// CASE fires: elementwise work joins a reduction; what follows the reduction does not.
// CHECK-LABEL: func.func @reduction(
func.func @reduction(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: %s = graph.fused "exp_reduce_sum"
  // CHECK: %l = graph.log %s
  %e = graph.exp %x : tensor<4x8xf32>
  %s = graph.reduce_sum %e axes [1] : tensor<4xf32>
  %l = graph.log %s : tensor<4xf32>
  func.return %l : tensor<4xf32>
}

// -----

// CASE fires: index-moving operators join each other and take elementwise work on both sides.
// CHECK-LABEL: func.func @injective(
func.func @injective(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> tensor<16x4xf32> {
  // CHECK-NEXT: graph.fused "exp_concat_transpose_neg"
  %e = graph.exp %x : tensor<4x8xf32>
  %c = graph.concat %e, %y axis 1 : tensor<4x16xf32>
  %t = graph.transpose %c permutation [1, 0] : tensor<16x4xf32>
  %n = graph.neg %t : tensor<16x4xf32>
  func.return %n : tensor<16x4xf32>
}

// -----

// CASE leaves alone: not into a convolution, not into or out of a softmax, not past a result that is used elsewhere; a
// reshape stays an alias; a convolution does not take an operator that stretches its result.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: graph.fused
func.func @alone(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>, %big: tensor<2x4x8x8xf32>) -> (tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>, tensor<2x4x8x8xf32>) {
  %r = graph.relu %x : tensor<1x4x8x8xf32>
  %c = graph.conv2d %r, %w : tensor<1x4x8x8xf32>
  %s = graph.softmax %c axis 1 : tensor<1x4x8x8xf32>
  %e = graph.exp %s : tensor<1x4x8x8xf32>
  %f = graph.flatten %e : tensor<1x256xf32>
  %n = graph.neg %f : tensor<1x256xf32>
  %u = graph.reshape %n shape [1, 4, 8, 8] : tensor<1x4x8x8xf32>
  %d = graph.conv2d %x, %w : tensor<1x4x8x8xf32>
  %a = graph.add %d, %big : tensor<2x4x8x8xf32>
  func.return %e, %u, %a : tensor<1x4x8x8xf32>, tensor<1x4x8x8xf32>, tensor<2x4x8x8xf32>
}

// -----

// CASE fires: a result that leaves the group in the middle ends it.
// CHECK-LABEL: func.func @leaves(
func.func @leaves(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  // CHECK-NEXT: %b = graph.fused "exp_neg"
  // CHECK: %c = graph.abs %b
  %a = graph.exp %x : tensor<8xf32>
  %b = graph.neg %a : tensor<8xf32>
  %c = graph.abs %b : tensor<8xf32>
  func.return %b, %c : tensor<8xf32>, tensor<8xf32>
}

// -----

// CASE fires: what a convolution leaves in blocks, and its epilogue reads, is taken out of them where it is computed.
// CHECK-LABEL: func.func @out_of_blocks(
func.func @out_of_blocks(%x: tensor<1x4x8x8xf32>, %w: tensor<2x4x1x1x8xf32>, %b: tensor<1x2x1x1x8xf32>) -> tensor<1x16x8x8xf32> {
  // CHECK-NEXT: %p = graph.fused "blocked_conv2d_add_relu_unblock_channels"
  // CHECK: func.return %p
  %c = graph.blocked_conv2d %x, %w : tensor<1x2x8x8x8xf32>
  %d = graph.add %c, %b : tensor<1x2x8x8x8xf32>
  %r = graph.relu %d : tensor<1x2x8x8x8xf32>
  %p = graph.unblock_channels %r : tensor<1x16x8x8xf32>
  func.return %p : tensor<1x16x8x8xf32>
}

// -----

// CASE fires: an epilogue that reads another image in blocks joins the convolution, but stays in blocks with it.
// CHECK-LABEL: func.func @two_images(
func.func @two_images(%x: tensor<1x4x8x8xf32>, %w: tensor<2x4x1x1x8xf32>, %y: tensor<1x2x8x8x8xf32>) -> tensor<1x16x8x8xf32> {
  // CHECK-NEXT: %d = graph.fused "blocked_conv2d_add" (
  // CHECK: %p = graph.unblock_channels %d
  // CHECK-NEXT: func.return %p
  %c = graph.blocked_conv2d %x, %w : tensor<1x2x8x8x8xf32>
  %d = graph.add %c, %y : tensor<1x2x8x8x8xf32>
  %p = graph.unblock_channels %d : tensor<1x16x8x8xf32>
  func.return %p : tensor<1x16x8x8xf32>
}

// -----

// CASE leaves alone: the image in blocks is read twice.
// CHECK-LABEL: func.func @read_twice(
func.func @read_twice(%x: tensor<1x4x8x8xf32>, %w: tensor<2x4x1x1x8xf32>) -> (tensor<1x16x8x8xf32>, tensor<1x2x8x8x8xf32>) {
  // CHECK-NEXT: %e = graph.blocked_conv2d
  // CHECK-NEXT: %q = graph.unblock_channels %e
  // CHECK-NEXT: func.return %q, %e
  %e = graph.blocked_conv2d %x, %w : tensor<1x2x8x8x8xf32>
  %q = graph.unblock_channels %e : tensor<1x16x8x8xf32>
  func.return %q, %e : tensor<1x16x8x8xf32>, tensor<1x2x8x8x8xf32>
}

// -----

// CASE fires: the image is taken out of its blocks and a part taken of it in one group, separate from the convolution.
// CHECK-LABEL: func.func @moves_on(
func.func @moves_on(%x: tensor<1x4x8x8xf32>, %w: tensor<2x4x1x1x8xf32>) -> tensor<1x12x8x8xf32> {
  // CHECK-NEXT: graph.blocked_conv2d
  // CHECK-NEXT: graph.fused "unblock_channels_slice"
  %c = graph.blocked_conv2d %x, %w : tensor<1x2x8x8x8xf32>
  %p = graph.unblock_channels %c : tensor<1x16x8x8xf32>
  %s = graph.slice %p starts [0, 0, 0, 0] sizes [-1, 12, -1, -1] steps [1, 1, 1, 1] : tensor<1x12x8x8xf32>
  func.return %s : tensor<1x12x8x8xf32>
}
