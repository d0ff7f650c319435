// RUN: opt-tool --pass widen-narrow-floats %s | filecheck %s

module attributes {tw.target = #target.cpu<features ["avx2", "fma", "f16c"], vector_bits 256, caches [32768, 524288, 0], threads 1>} {

// CASE fires: a convolution; what selects among its results needs no rounding, a sum does.
// CHECK-LABEL: func.func @convolution(
// CHECK-NEXT: %[[X:.*]] = graph.cast %x to f32 : tensor<1x2x5x5xf32>
// CHECK-NEXT: %[[W:.*]] = graph.constant {{.*}} : tensor<2x2x3x3xf32>
// CHECK-NEXT: %[[C:.*]] = graph.conv2d %[[X]], %[[W]] padding [1, 1, 1, 1] : tensor<1x2x5x5xf32>
// CHECK-NEXT: %[[HALF:.*]] = graph.cast %[[C]] to f16
// CHECK-NEXT: %[[ROUNDED:.*]] = graph.cast %[[HALF]] to f32
// CHECK-NEXT: %[[R:.*]] = graph.relu %[[ROUNDED]] : tensor<1x2x5x5xf32>
// CHECK-NEXT: %[[SUM:.*]] = graph.add %[[R]], %[[X]] : tensor<1x2x5x5xf32>
// CHECK-NEXT: %[[Y:.*]] = graph.cast %[[SUM]] to f16
// CHECK-NEXT: return %[[Y]]
func.func @convolution(%x: tensor<1x2x5x5xf16>) -> tensor<1x2x5x5xf16> {
  %w = graph.constant dense<0.5> : tensor<2x2x3x3xf16>
  %c = graph.conv2d %x, %w padding [1, 1, 1, 1] : tensor<1x2x5x5xf16>
  %r = graph.relu %c : tensor<1x2x5x5xf16>
  %y = graph.add %r, %x : tensor<1x2x5x5xf16>
  func.return %y : tensor<1x2x5x5xf16>
}

// CASE fires: batch normalisation of a convolution reads sums that were not rounded.
// CHECK-LABEL: func.func @normalized(
// CHECK: %[[C:.*]] = graph.conv2d {{.*}} : tensor<1x2x3x3xf32>
// CHECK-NOT: graph.cast %[[C]]
// CHECK: %[[N:.*]] = graph.batch_norm %[[C]], {{.*}} : tensor<1x2x3x3xf32>
// CHECK-NEXT: graph.cast %[[N]] to bf16
func.func @normalized(%x: tensor<1x2x3x3xbf16>) -> tensor<1x2x3x3xbf16> {
  %w = graph.constant dense<0.5> : tensor<2x2x1x1xbf16>
  %v = graph.constant dense<1.0> : tensor<2xbf16>
  %c = graph.conv2d %x, %w : tensor<1x2x3x3xbf16>
  %n = graph.batch_norm %c, %v, %v, %v, %v : tensor<1x2x3x3xbf16>
  func.return %n : tensor<1x2x3x3xbf16>
}

// CASE fires: a result that is read both ways is rounded once, and so is one that normalisation does not read alone.
// CHECK-LABEL: func.func @both_ways(
// CHECK: %[[C:.*]] = graph.conv2d {{.*}} : tensor<1x2x3x3xf32>
// CHECK-NEXT: %[[HALF:.*]] = graph.cast %[[C]] to f16
// CHECK-NEXT: %[[ROUNDED:.*]] = graph.cast %[[HALF]] to f32
// CHECK-NEXT: %[[RESULT:.*]] = graph.cast %[[ROUNDED]] to f16
// CHECK: graph.batch_norm %[[ROUNDED]]
// CHECK: return %[[RESULT]]
func.func @both_ways(%x: tensor<1x2x3x3xf16>) -> (tensor<1x2x3x3xf16>, tensor<1x2x3x3xf16>) {
  %w = graph.constant dense<0.5> : tensor<2x2x1x1xf16>
  %v = graph.constant dense<1.0> : tensor<2xf16>
  %c = graph.conv2d %x, %w : tensor<1x2x3x3xf16>
  %n = graph.batch_norm %c, %v, %v, %v, %v : tensor<1x2x3x3xf16>
  func.return %c, %n : tensor<1x2x3x3xf16>, tensor<1x2x3x3xf16>
}

// CASE fires: products of nine rows, with weights that were computed from a constant, and of two values.
// CHECK-LABEL: func.func @products(
// CHECK: %[[W:.*]] = graph.constant {{.*}} : tensor<4x3xf32>
// CHECK-NEXT: %[[T:.*]] = graph.transpose %[[W]] permutation [1, 0] : tensor<3x4xf32>
// CHECK: graph.matmul %{{.*}}, %[[T]] : tensor<3x3x4xf32>
// CHECK: graph.matmul %{{.*}}, %{{.*}} transpose_b : tensor<2x9x9xf32>
func.func @products(%a: tensor<3x3x3xf16>, %b: tensor<2x9x5xf16>) -> (tensor<3x3x4xf16>, tensor<2x9x9xf16>) {
  %w = graph.constant dense<0.5> : tensor<4x3xf16>
  %t = graph.transpose %w permutation [1, 0] : tensor<3x4xf16>
  %y = graph.matmul %a, %t : tensor<3x3x4xf16>
  %z = graph.matmul %b, %b transpose_b : tensor<2x9x9xf16>
  func.return %y, %z : tensor<3x3x4xf16>, tensor<2x9x9xf16>
}

// CASE fires: what reads a wide value and gives none is computed from it; what reads bits is not.
// CHECK-LABEL: func.func @readers(
// CHECK: graph.conv2d
// CHECK: %[[ROUNDED:.*]] = graph.cast %{{.*}} to f32 : tensor<1x2x3x3xf32>
// CHECK-NEXT: %[[HALF:.*]] = graph.cast %[[ROUNDED]] to f16
// CHECK-NEXT: graph.less %[[ROUNDED]], %[[ROUNDED]] : tensor<1x2x3x3xi1>
// CHECK-NEXT: graph.bitcast %[[HALF]] to ui16
// CHECK-NEXT: return {{.*}}, %[[ROUNDED]]
func.func @readers(%x: tensor<1x2x3x3xf16>) -> (tensor<1x2x3x3xi1>, tensor<1x2x3x3xui16>, tensor<1x2x3x3xf32>) {
  %w = graph.constant dense<0.5> : tensor<2x2x1x1xf16>
  %c = graph.conv2d %x, %w : tensor<1x2x3x3xf16>
  %l = graph.less %c, %c : tensor<1x2x3x3xi1>
  %b = graph.bitcast %c to ui16 : tensor<1x2x3x3xui16>
  %f = graph.cast %c to f32 : tensor<1x2x3x3xf32>
  func.return %l, %b, %f : tensor<1x2x3x3xi1>, tensor<1x2x3x3xui16>, tensor<1x2x3x3xf32>
}

// CASE fires: a view of another size; what it takes its size from is not converted.
// CHECK-LABEL: func.func @sizes(
// CHECK: graph.conv2d
// CHECK: %[[ROUNDED:.*]] = graph.cast %{{.*}} to f32
// CHECK-NEXT: graph.match_shape %[[ROUNDED]], %s shape
func.func @sizes(%x: tensor<?x2x3x3xf16, #graph.dims<n, _, _, _>>, %s: tensor<?x5xf16, #graph.dims<m, _>>) -> tensor<?x2x3x3xf16, #graph.dims<m, _, _, _>> {
  %w = graph.constant dense<0.5> : tensor<2x2x1x1xf16>
  %c = graph.conv2d %x, %w : tensor<?x2x3x3xf16, #graph.dims<n, _, _, _>>
  %r = graph.match_shape %c, %s shape ["#1.0", "2", "3", "3"] : tensor<?x2x3x3xf16, #graph.dims<m, _, _, _>>
  func.return %r : tensor<?x2x3x3xf16, #graph.dims<m, _, _, _>>
}

// CASE fires: eight rows, and any number of them, of constant weights: these are widened in registers.
// CHECK-LABEL: func.func @few_rows(
// CHECK: %[[W:.*]] = graph.constant {{.*}} : tensor<3x4xf16>
// CHECK: %[[Y:.*]] = graph.matmul %{{.*}}, %[[W]] out_dtype f32 : tensor<8x4xf32>
// CHECK-NEXT: %[[HALF:.*]] = graph.cast %[[Y]] to f16
// CHECK-NEXT: graph.tanh %[[HALF]] : tensor<8x4xf16>
// CHECK: graph.dense %{{.*}}, %{{.*}}, %{{.*}} out_dtype f32 : tensor<?x5xf32, #graph.dims<n, _>>
func.func @few_rows(%a: tensor<8x3xf16>, %x: tensor<?x3xf16, #graph.dims<n, _>>) -> (tensor<8x4xf16>, tensor<?x5xf16, #graph.dims<n, _>>) {
  %w = graph.constant dense<0.5> : tensor<3x4xf16>
  %v = graph.constant dense<0.5> : tensor<5x3xf16>
  %b = graph.constant dense<0.5> : tensor<5xf16>
  %y = graph.matmul %a, %w : tensor<8x4xf16>
  %z = graph.tanh %y : tensor<8x4xf16>
  %d = graph.dense %x, %v, %b : tensor<?x5xf16, #graph.dims<n, _>>
  func.return %z, %d : tensor<8x4xf16>, tensor<?x5xf16, #graph.dims<n, _>>
}

// CASE leaves alone: one row, few rows of weights that are not known, and operators that are no products.
// CHECK-LABEL: func.func @one_row(
// CHECK-NOT: f32
// CHECK: return
func.func @one_row(%a: tensor<1x3xf16>, %b: tensor<8x3xf16>, %v: tensor<3x4xf16>) -> (tensor<1x4xf16>, tensor<8x4xf16>) {
  %w = graph.constant dense<0.5> : tensor<3x4xf16>
  %y = graph.matmul %a, %w : tensor<1x4xf16>
  %z = graph.matmul %b, %v : tensor<8x4xf16>
  %t = graph.tanh %y : tensor<1x4xf16>
  func.return %t, %z : tensor<1x4xf16>, tensor<8x4xf16>
}

// CASE leaves alone: float32.
// CHECK-LABEL: func.func @single(
// CHECK-NOT: graph.cast
// CHECK: return
func.func @single(%a: tensor<9x3xf32>, %w: tensor<3x4xf32>) -> tensor<9x4xf32> {
  %y = graph.matmul %a, %w : tensor<9x4xf32>
  func.return %y : tensor<9x4xf32>
}

}
