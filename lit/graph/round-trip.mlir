// RUN: ROUNDTRIP

// Every operator, with properties away from their defaults; at the default they are not printed.

// CHECK-LABEL: func.func @constants(
func.func @constants() -> (tensor<2xf32>, tensor<64x3x7x7xf32>, tensor<i1>) {
  // CHECK-NEXT: %c = graph.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %c = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK-NEXT: %w = graph.constant resource<"conv1/w"> : tensor<64x3x7x7xf32> {note = 1 : i64}
  %w = graph.constant resource<"conv1/w"> : tensor<64x3x7x7xf32> {note = 1 : i64}
  // CHECK-NEXT: %t = graph.constant dense<true> : tensor<i1>
  %t = graph.constant dense<true> : tensor<i1>
  func.return %c, %w, %t : tensor<2xf32>, tensor<64x3x7x7xf32>, tensor<i1>
}

// CHECK-LABEL: func.func @unary(
func.func @unary(%x: tensor<2x?xf32, #graph.dims<_, n>>, %i: tensor<4xi8>, %b: tensor<4xi1>) {
  // CHECK-NEXT: %0 = graph.relu %x : tensor<2x?xf32, #graph.dims<_, n>>
  %0 = graph.relu %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: %1 = graph.neg %i {note = "kept"} : tensor<4xi8>
  %1 = graph.neg %i {note = "kept"} : tensor<4xi8>
  // CHECK-NEXT: graph.abs
  %2 = graph.abs %i : tensor<4xi8>
  // CHECK-NEXT: graph.sqrt
  %3 = graph.sqrt %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.exp
  %4 = graph.exp %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.log
  %5 = graph.log %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.reciprocal
  %6 = graph.reciprocal %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.erf
  %7 = graph.erf %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.tanh
  %8 = graph.tanh %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.sigmoid
  %9 = graph.sigmoid %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.sin
  %10 = graph.sin %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.cos
  %11 = graph.cos %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.floor
  %12 = graph.floor %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.ceil
  %13 = graph.ceil %x : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.not %b : tensor<4xi1>
  %14 = graph.not %b : tensor<4xi1>
  // CHECK-NEXT: graph.identity
  %15 = graph.identity %b : tensor<4xi1>
  // CHECK-NEXT: graph.clip %x low minus_inf high 6.0 : tensor<2x?xf32, #graph.dims<_, n>>
  %16 = graph.clip %x low minus_inf high 6.0 : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.clip %x low 1.0e-07 high inf : tensor<2x?xf32, #graph.dims<_, n>>
  %17 = graph.clip %x low 1.0e-7 high inf : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.leaky_relu %x alpha 0.25 : tensor<2x?xf32, #graph.dims<_, n>>
  %18 = graph.leaky_relu %x alpha 0.25 : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.dropout %x : tensor<2x?xf32, #graph.dims<_, n>>
  %19 = graph.dropout %x ratio 0.5 : tensor<2x?xf32, #graph.dims<_, n>>
  // CHECK-NEXT: graph.cast %x to f16 : tensor<2x?xf16, #graph.dims<_, n>>
  %20 = graph.cast %x to f16 : tensor<2x?xf16, #graph.dims<_, n>>
  // CHECK-NEXT: graph.cast %x to bf16 : tensor<2x?xbf16, #graph.dims<_, n>>
  %21 = graph.cast %x to bf16 : tensor<2x?xbf16, #graph.dims<_, n>>
  func.return
}

// CHECK-LABEL: func.func @binary(
func.func @binary(%a: tensor<2x3xf64>, %b: tensor<3xf64>, %p: tensor<2x1xi1>, %q: tensor<i1>) {
  // CHECK-NEXT: graph.add %a, %b : tensor<2x3xf64>
  %0 = graph.add %a, %b : tensor<2x3xf64>
  // CHECK-NEXT: graph.sub
  %1 = graph.sub %a, %b : tensor<2x3xf64>
  // CHECK-NEXT: graph.mul
  %2 = graph.mul %a, %b : tensor<2x3xf64>
  // CHECK-NEXT: graph.div
  %3 = graph.div %a, %b : tensor<2x3xf64>
  // CHECK-NEXT: graph.pow
  %4 = graph.pow %a, %b : tensor<2x3xf64>
  // CHECK-NEXT: graph.minimum
  %5 = graph.minimum %a, %b : tensor<2x3xf64>
  // CHECK-NEXT: graph.maximum
  %6 = graph.maximum %a, %b : tensor<2x3xf64>
  // CHECK-NEXT: graph.and %p, %q : tensor<2x1xi1>
  %7 = graph.and %p, %q : tensor<2x1xi1>
  // CHECK-NEXT: graph.or
  %8 = graph.or %p, %q : tensor<2x1xi1>
  // CHECK-NEXT: graph.xor
  %9 = graph.xor %p, %q : tensor<2x1xi1>
  // CHECK-NEXT: graph.equal %a, %b : tensor<2x3xi1>
  %10 = graph.equal %a, %b : tensor<2x3xi1>
  // CHECK-NEXT: graph.less
  %11 = graph.less %a, %b : tensor<2x3xi1>
  // CHECK-NEXT: graph.less_equal
  %12 = graph.less_equal %a, %b : tensor<2x3xi1>
  // CHECK-NEXT: graph.greater
  %13 = graph.greater %a, %b : tensor<2x3xi1>
  // CHECK-NEXT: graph.greater_equal
  %14 = graph.greater_equal %a, %b : tensor<2x3xi1>
  // CHECK-NEXT: graph.where %p, %a, %b : tensor<2x3xf64>
  %15 = graph.where %p, %a, %b : tensor<2x3xf64>
  func.return
}

// CHECK-LABEL: func.func @image(
func.func @image(%x: tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>, %w: tensor<8x2x3x3xf32>, %v: tensor<8x4x1x1xf32>, %b: tensor<8xf32>, %c: tensor<4xf32>) {
  // CHECK-NEXT: graph.conv2d %x, %v : tensor<?x8x9x9xf32, #graph.dims<"N*2", _, _, _>>
  %0 = graph.conv2d %x, %v strides [1, 1] : tensor<?x8x9x9xf32, #graph.dims<"N*2", _, _, _>>
  // CHECK-NEXT: graph.conv2d %x, %w, %b strides [2, 1] padding [1, 2, 0, 3] dilations [1, 2] groups 2 : tensor<?x8x4x10xf32, #graph.dims<"N*2", _, _, _>>
  %1 = graph.conv2d %x, %w, %b groups 2 strides [2, 1] dilations [1, 2] padding [1, 2, 0, 3] : tensor<?x8x4x10xf32, #graph.dims<"N*2", _, _, _>>
  // CHECK-NEXT: graph.batch_norm %x, %c, %c, %c, %c epsilon 0.001 : tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>
  %2 = graph.batch_norm %x, %c, %c, %c, %c epsilon 0.001 : tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>
  // CHECK-NEXT: graph.lrn %x size 5 beta 0.5 : tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>
  %3 = graph.lrn %x size 5 alpha 0.0001 beta 0.5 bias 1.0 : tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>
  // CHECK-NEXT: graph.max_pool2d %x kernel [3, 2] strides [2, 2] padding [1, 0, 1, 1] dilations [1, 3] ceil_mode : tensor<?x4x5x4xf32, #graph.dims<"N*2", _, _, _>>
  %4 = graph.max_pool2d %x kernel [3, 2] ceil_mode strides [2, 2] padding [1, 0, 1, 1] dilations [1, 3] : tensor<?x4x5x4xf32, #graph.dims<"N*2", _, _, _>>
  // CHECK-NEXT: graph.avg_pool2d %x kernel [3, 3] padding [1, 1, 1, 1] count_include_pad : tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>
  %5 = graph.avg_pool2d %x kernel [3, 3] padding [1, 1, 1, 1] count_include_pad : tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>
  // CHECK-NEXT: graph.global_avg_pool %x : tensor<?x4x1x1xf32, #graph.dims<"N*2", _, _, _>>
  %6 = graph.global_avg_pool %x : tensor<?x4x1x1xf32, #graph.dims<"N*2", _, _, _>>
  // CHECK-NEXT: graph.softmax %x axis 1 : tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>
  %7 = graph.softmax %x axis 1 : tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>
  // CHECK-NEXT: graph.log_softmax %x : tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>
  %8 = graph.log_softmax %x axis -1 : tensor<?x4x9x9xf32, #graph.dims<"N*2", _, _, _>>
  func.return
}

// CHECK-LABEL: func.func @blocks(
func.func @blocks(%x: tensor<1x16x9x9xf32>, %w: tensor<2x1x3x3x8x8xf32>, %b: tensor<2x8xf32>) {
  // CHECK: graph.block_channels %x size 8 : tensor<1x2x9x9x8xf32>
  %0 = graph.block_channels %x size 8 : tensor<1x2x9x9x8xf32>
  // CHECK-NEXT: graph.blocked_conv2d %0, %w, %b strides [2, 2] padding [1, 1, 1, 1] groups 2 : tensor<1x2x5x5x8xf32>
  %1 = graph.blocked_conv2d %0, %w, %b groups 2 padding [1, 1, 1, 1] strides [2, 2] dilations [1, 1] : tensor<1x2x5x5x8xf32>
  // CHECK-NEXT: graph.max_pool2d %1 kernel [3, 3] blocked : tensor<1x2x3x3x8xf32>
  %2 = graph.max_pool2d %1 kernel [3, 3] blocked : tensor<1x2x3x3x8xf32>
  // CHECK-NEXT: graph.unblock_channels %2 : tensor<1x16x3x3xf32>
  %3 = graph.unblock_channels %2 : tensor<1x16x3x3xf32>
  func.return
}

// CHECK-LABEL: func.func @words(
func.func @words(%x: tensor<1x2x9x9x8xui8>, %w: tensor<2x2x3x3x2x8xi32>) {
  // CHECK: graph.words %x : tensor<1x2x9x9x2xi32>
  %0 = graph.words %x : tensor<1x2x9x9x2xi32>
  // CHECK-NEXT: graph.blocked_conv2d %0, %w pad_value 3 words "u8s8" : tensor<1x2x7x7x8xi32>
  %1 = graph.blocked_conv2d %0, %w pad_value 3 words "u8s8" : tensor<1x2x7x7x8xi32>
  func.return
}

// CHECK-LABEL: func.func @columns(
func.func @columns(%x: tensor<1x2x9x9x8xui8>, %w: tensor<2x1x3x8xi32>, %b: tensor<2x8xi32>, %t: tensor<256xf32>) {
  // CHECK: graph.depthwise_of_words %x, %w, %b rows 3 padding [1, 1, 1, 1] pad_value 3 words "u8s8_fits" : tensor<1x2x9x9x8xi32>
  %0 = graph.depthwise_of_words %x, %w, %b rows 3 padding [1, 1, 1, 1] pad_value 3 words "u8s8_fits" : tensor<1x2x9x9x8xi32>
  // CHECK-NEXT: graph.lookup %x, %t : tensor<1x2x9x9x8xf32>
  %1 = graph.lookup %x, %t : tensor<1x2x9x9x8xf32>
  func.return
}

// CHECK-LABEL: func.func @winograd(
func.func @winograd(%x: tensor<1x2x9x9x8xf32>, %w: tensor<4x4x3x2x8x4xf32>, %b: tensor<3x4xf32>) {
  // CHECK-NEXT: graph.winograd_conv2d %x, %w : tensor<1x3x7x7x4xf32>
  %0 = graph.winograd_conv2d %x, %w padding [0, 0, 0, 0] : tensor<1x3x7x7x4xf32>
  // CHECK-NEXT: graph.winograd_conv2d %x, %w, %b padding [1, 1, 1, 0] : tensor<1x3x9x8x4xf32>
  %1 = graph.winograd_conv2d %x, %w, %b padding [1, 1, 1, 0] : tensor<1x3x9x8x4xf32>
  func.return
}

// CHECK-LABEL: func.func @matrices(
func.func @matrices(%a: tensor<?x8xf32, #graph.dims<m, _>>, %w: tensor<5x8xf32>, %b: tensor<5xf32>, %s: tensor<2x3x?x8xf32, #graph.dims<_, _, m, _>>, %p: tensor<3x8x16xf32>, %i: tensor<4x2xi32>, %j: tensor<2x2x16xi32>) {
  // CHECK-NEXT: graph.dense %a, %w, %b : tensor<?x5xf32, #graph.dims<m, _>>
  %0 = graph.dense %a, %w, %b : tensor<?x5xf32, #graph.dims<m, _>>
  // CHECK-NEXT: graph.dense %a, %w : tensor<?x5xf32, #graph.dims<m, _>>
  %1 = graph.dense %a, %w : tensor<?x5xf32, #graph.dims<m, _>>
  // CHECK-NEXT: graph.matmul %a, %a transpose_a : tensor<8x8xf32>
  %2 = graph.matmul %a, %a transpose_a : tensor<8x8xf32>
  // CHECK-NEXT: graph.matmul %s, %w transpose_b : tensor<2x3x?x5xf32, #graph.dims<_, _, m, _>>
  %3 = graph.matmul %s, %w transpose_b : tensor<2x3x?x5xf32, #graph.dims<_, _, m, _>>
  // CHECK-NEXT: graph.packed_matmul %s, %p : tensor<2x3x?x48xf32, #graph.dims<_, _, m, _>>
  %4 = graph.packed_matmul %s, %p : tensor<2x3x?x48xf32, #graph.dims<_, _, m, _>>
  // CHECK-NEXT: graph.packed_matmul %i, %j out_dtype i32 words "s8s8" : tensor<4x32xi32>
  %5 = graph.packed_matmul %i, %j words "s8s8" out_dtype i32 : tensor<4x32xi32>
  func.return
}

// CHECK-LABEL: func.func @quantized(
func.func @quantized(%x: tensor<1x4x9x9xf32>, %s: tensor<f32>, %z: tensor<ui8>, %t: tensor<4xf32>, %w: tensor<4x4x3x3xi8>, %b: tensor<4xi32>, %m: tensor<2x4xi8>) {
  // CHECK-NEXT: graph.quantize %x, %s, %z to ui8 : tensor<1x4x9x9xui8>
  %0 = graph.quantize %x, %s, %z axis 1 to ui8 : tensor<1x4x9x9xui8>
  // CHECK-NEXT: graph.quantize %x, %t axis -3 to i16 : tensor<1x4x9x9xi16>
  %1 = graph.quantize %x, %t axis -3 to i16 : tensor<1x4x9x9xi16>
  // CHECK-NEXT: graph.conv2d %0, %w, %b padding [1, 1, 1, 1] pad_value 128 out_dtype i32 : tensor<1x4x9x9xi32>
  %2 = graph.conv2d %0, %w, %b padding [1, 1, 1, 1] pad_value 128 out_dtype i32 : tensor<1x4x9x9xi32>
  // CHECK-NEXT: graph.dequantize %2, %t to f32 : tensor<1x4x9x9xf32>
  %3 = graph.dequantize %2, %t to f32 : tensor<1x4x9x9xf32>
  // CHECK-NEXT: graph.dense %m, %m out_dtype i32 : tensor<2x2xi32>
  %4 = graph.dense %m, %m out_dtype i32 : tensor<2x2xi32>
  func.return
}

// CHECK-LABEL: func.func @packed_rows(
func.func @packed_rows(%p: tensor<3x8x16xf32>, %i: tensor<2x?xi64, #graph.dims<_, m>>) {
  // CHECK-NEXT: graph.packed_gather %p, %i : tensor<2x?x8xf32, #graph.dims<_, m, _>>
  %0 = graph.packed_gather %p, %i : tensor<2x?x8xf32, #graph.dims<_, m, _>>
  func.return
}

// CHECK-LABEL: func.func @reductions(
func.func @reductions(%x: tensor<2x?x5xi32, #graph.dims<_, n, _>>, %f: tensor<2x5xf32>) {
  // CHECK-NEXT: graph.reduce_sum %x axes [0, 2] : tensor<?xi32, #graph.dims<n>>
  %0 = graph.reduce_sum %x axes [0, 2] : tensor<?xi32, #graph.dims<n>>
  // CHECK-NEXT: graph.reduce_mean %f axes [-1] keepdims : tensor<2x1xf32>
  %1 = graph.reduce_mean %f axes [-1] keepdims : tensor<2x1xf32>
  // CHECK-NEXT: graph.reduce_max %x axes [1] : tensor<2x5xi32>
  %2 = graph.reduce_max %x axes [1] : tensor<2x5xi32>
  // CHECK-NEXT: graph.reduce_min %f axes [0, 1] : tensor<f32>
  %3 = graph.reduce_min %f axes [0, 1] : tensor<f32>
  // CHECK-NEXT: graph.reduce_prod %f axes [] : tensor<2x5xf32>
  %4 = graph.reduce_prod %f axes [] : tensor<2x5xf32>
  func.return
}

// CHECK-LABEL: func.func @movement(
func.func @movement(%x: tensor<?x4x6xf32, #graph.dims<n, _, _>>, %y: tensor<1x3x1xf32>, %i: tensor<2x2xi64>) {
  // CHECK-NEXT: graph.reshape %x shape [0, 3, -1] : tensor<?x3x8xf32, #graph.dims<n, _, _>>
  %0 = graph.reshape %x shape [0, 3, -1] : tensor<?x3x8xf32, #graph.dims<n, _, _>>
  // CHECK-NEXT: graph.flatten %x : tensor<?x24xf32, #graph.dims<n, _>>
  %1 = graph.flatten %x axis 1 : tensor<?x24xf32, #graph.dims<n, _>>
  // CHECK-NEXT: graph.squeeze %y axes [0, -1] : tensor<3xf32>
  %2 = graph.squeeze %y axes [0, -1] : tensor<3xf32>
  // CHECK-NEXT: graph.unsqueeze %y axes [0, 2] : tensor<1x1x1x3x1xf32>
  %3 = graph.unsqueeze %y axes [0, 2] : tensor<1x1x1x3x1xf32>
  // CHECK-NEXT: graph.transpose %x permutation [2, 0, 1] : tensor<6x?x4xf32, #graph.dims<_, n, _>>
  %4 = graph.transpose %x permutation [2, 0, 1] : tensor<6x?x4xf32, #graph.dims<_, n, _>>
  // CHECK-NEXT: graph.broadcast_to %y shape [2, -1, 5] : tensor<2x3x5xf32>
  %5 = graph.broadcast_to %y shape [2, -1, 5] : tensor<2x3x5xf32>
  // CHECK-NEXT: graph.concat %x, %x, %x axis 1 : tensor<?x12x6xf32, #graph.dims<n, _, _>>
  %6 = graph.concat %x, %x, %x axis 1 : tensor<?x12x6xf32, #graph.dims<n, _, _>>
  // CHECK-NEXT: %{{.*}}, %{{.*}} = graph.split %x axis 2 sizes [2, 4] : tensor<?x4x2xf32, #graph.dims<n, _, _>>, tensor<?x4x4xf32, #graph.dims<n, _, _>>
  %7, %8 = graph.split %x axis 2 sizes [2, 4] : tensor<?x4x2xf32, #graph.dims<n, _, _>>, tensor<?x4x4xf32, #graph.dims<n, _, _>>
  // CHECK-NEXT: graph.slice %x starts [0, 3, 1] sizes [-1, 2, 3] steps [1, -2, 2] : tensor<?x2x3xf32, #graph.dims<n, _, _>>
  %9 = graph.slice %x starts [0, 3, 1] sizes [-1, 2, 3] steps [1, -2, 2] : tensor<?x2x3xf32, #graph.dims<n, _, _>>
  // CHECK-NEXT: graph.pad %y before [0, 1, 0] after [2, 0, 0] value -1.5 : tensor<3x4x1xf32>
  %10 = graph.pad %y before [0, 1, 0] after [2, 0, 0] value -1.5 : tensor<3x4x1xf32>
  // CHECK-NEXT: graph.gather %x, %i axis 1 : tensor<?x2x2x6xf32, #graph.dims<n, _, _, _>>
  %11 = graph.gather %x, %i axis 1 : tensor<?x2x2x6xf32, #graph.dims<n, _, _, _>>
  func.return
}

// A result may say less than what is inferred.
// CHECK-LABEL: func.func @imprecise(
func.func @imprecise(%x: tensor<2x3xf32>) {
  // CHECK-NEXT: graph.relu %x : tensor<?x3xf32>
  %0 = graph.relu %x : tensor<?x3xf32>
  // CHECK-NEXT: graph.relu %x : tensor<*xf32>
  %1 = graph.relu %x : tensor<*xf32>
  func.return
}

// CHECK-LABEL: func.func @functions_and_images(
func.func @functions_and_images(%x: tensor<2x4xf32>, %indices: tensor<2x3xi32>, %vector: tensor<4xf32>, %image: tensor<1x4x6x6xf32>) {
  // CHECK-NEXT: graph.tan %x : tensor<2x4xf32>
  %0 = graph.tan %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.asin %x : tensor<2x4xf32>
  %1 = graph.asin %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.acos %x : tensor<2x4xf32>
  %2 = graph.acos %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.atan %x : tensor<2x4xf32>
  %3 = graph.atan %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.sinh %x : tensor<2x4xf32>
  %4 = graph.sinh %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.cosh %x : tensor<2x4xf32>
  %5 = graph.cosh %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.asinh %x : tensor<2x4xf32>
  %6 = graph.asinh %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.acosh %x : tensor<2x4xf32>
  %7 = graph.acosh %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.atanh %x : tensor<2x4xf32>
  %8 = graph.atanh %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.round %x : tensor<2x4xf32>
  %9 = graph.round %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.sign %x : tensor<2x4xf32>
  %10 = graph.sign %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.softplus %x : tensor<2x4xf32>
  %11 = graph.softplus %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.hard_swish %x : tensor<2x4xf32>
  %12 = graph.hard_swish %x : tensor<2x4xf32>
  // CHECK-NEXT: graph.elu %x alpha 0.5 : tensor<2x4xf32>
  %13 = graph.elu %x alpha 0.5 : tensor<2x4xf32>
  // CHECK-NEXT: graph.gelu %x approximate : tensor<2x4xf32>
  %14 = graph.gelu %x approximate : tensor<2x4xf32>
  // CHECK-NEXT: graph.argmax %x axis 1 keepdims : tensor<2x1xi64>
  %15 = graph.argmax %x axis 1 keepdims : tensor<2x1xi64>
  // CHECK-NEXT: graph.argmin %x axis 0 last : tensor<4xi64>
  %16 = graph.argmin %x axis 0 last : tensor<4xi64>
  // CHECK-NEXT: graph.cumsum %x axis 1 exclusive reverse : tensor<2x4xf32>
  %17 = graph.cumsum %x axis 1 exclusive reverse : tensor<2x4xf32>
  // CHECK-NEXT: graph.tile %x repeats [1, 3] : tensor<2x12xf32>
  %18 = graph.tile %x repeats [1, 3] : tensor<2x12xf32>
  // CHECK-NEXT: graph.gather_elements %x, %indices axis 1 : tensor<2x3xf32>
  %19 = graph.gather_elements %x, %indices axis 1 : tensor<2x3xf32>
  // CHECK-NEXT: graph.pad %x before [0, 2] after [1, 0] mode "reflect" : tensor<3x6xf32>
  %20 = graph.pad %x before [0, 2] after [1, 0] mode "reflect" : tensor<3x6xf32>
  // CHECK-NEXT: graph.layer_norm %x, %vector, %vector axes [1] epsilon 0.001 : tensor<2x4xf32>
  %21 = graph.layer_norm %x, %vector, %vector axes [1] epsilon 0.001 : tensor<2x4xf32>
  // CHECK-NEXT: graph.instance_norm %image, %vector, %vector epsilon 0.001 : tensor<1x4x6x6xf32>
  %22 = graph.instance_norm %image, %vector, %vector epsilon 0.001 : tensor<1x4x6x6xf32>
  // CHECK-NEXT: graph.group_norm %image, %vector, %vector groups 2 epsilon 0.001 : tensor<1x4x6x6xf32>
  %23 = graph.group_norm %image, %vector, %vector groups 2 epsilon 0.001 : tensor<1x4x6x6xf32>
  // CHECK-NEXT: graph.resize %image axes [2, 3] sizes [3, 9] method "linear" coordinates "align_corners" rounding "floor" : tensor<1x4x3x9xf32>
  %24 = graph.resize %image axes [2, 3] sizes [3, 9] method "linear" coordinates "align_corners" rounding "floor" : tensor<1x4x3x9xf32>
  // CHECK-NEXT: graph.depth_to_space %image block 2 mode "CRD" : tensor<1x1x12x12xf32>
  %25 = graph.depth_to_space %image block 2 mode "CRD" : tensor<1x1x12x12xf32>
  // CHECK-NEXT: graph.space_to_depth %image block 2 : tensor<1x16x3x3xf32>
  %26 = graph.space_to_depth %image block 2 : tensor<1x16x3x3xf32>
  func.return
}

// CHECK-LABEL: func.func @groups(
func.func @groups(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %r, %s = graph.fused "add_relu" (%a = %x : tensor<8xf32>, %b = %y : tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {note = 1 : i64} {
  // CHECK-NEXT:   %0 = graph.add %a, %b : tensor<8xf32>
  // CHECK-NEXT:   %1 = graph.relu %0 : tensor<8xf32>
  // CHECK-NEXT:   graph.yield %0, %1
  // CHECK-NEXT: }
  %r, %s = graph.fused "add_relu" (%a = %x : tensor<8xf32>, %b = %y : tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) attributes {note = 1 : i64} {
    %0 = graph.add %a, %b : tensor<8xf32>
    %1 = graph.relu %0 : tensor<8xf32>
    graph.yield %0, %1
  }
  // CHECK-NEXT: graph.fused "empty" () -> () {
  // CHECK-NEXT:   graph.yield
  // CHECK-NEXT: }
  graph.fused "empty" () -> () {
    graph.yield
  }
  func.return %s : tensor<8xf32>
}
