// RUN: opt-tool --pass lower-graph %s | filecheck %s

// CASE fires: what lies between kernels is calls, constants and reshapes.
// CHECK-LABEL: func.func @main(
func.func @main(%x: tensor<?x4xf32, #graph.dims<n, _>>) -> tensor<?x2x2xf32, #graph.dims<n, _, _>> {
  // CHECK-NEXT: %w = te.constant dense<{{.*}}> : tensor<2xf32>
  // CHECK-NEXT: %y = func.call @kernel(%x)
  // CHECK-NEXT: %z = te.reshape %y : tensor<?x4xf32, #graph.dims<n, _>> to tensor<?x2x2xf32, #graph.dims<n, _, _>>
  // CHECK-NEXT: func.return %z
  %w = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = func.call @kernel(%x) : (tensor<?x4xf32, #graph.dims<n, _>>) -> tensor<?x4xf32, #graph.dims<n, _>>
  %z = graph.reshape %y shape [0, 2, 2] : tensor<?x2x2xf32, #graph.dims<n, _, _>>
  func.return %z : tensor<?x2x2xf32, #graph.dims<n, _, _>>
}

// CASE fires: each operator becomes the computes of its record; a number becomes a compute that can be inlined.
// CHECK-LABEL: func.func private @kernel(
func.func private @kernel(%x: tensor<?x4xf32, #graph.dims<n, _>>) -> tensor<?x4xf32, #graph.dims<n, _>> {
  // CHECK-NEXT: %two = te.compute "constant" [] -> tensor<f32> {
  // CHECK-NEXT:   arith.constant 2.000000e+00 : f32
  // CHECK:      %n = te.dim %x, 0 : tensor<?x4xf32, #graph.dims<n, _>>
  // CHECK-NEXT: %y = te.compute "mul" [%{{.*}} to %n, %{{.*}} to 4] -> tensor<?x4xf32, #graph.dims<n, _>> {
  // CHECK-NEXT:   te.read %x[%{{.*}}, %{{.*}}]
  // CHECK-NEXT:   te.read %two[]
  // CHECK-NEXT:   arith.mulf
  %two = graph.constant dense<2.0> : tensor<f32>
  %y = graph.mul %x, %two : tensor<?x4xf32, #graph.dims<n, _>>
  func.return %y : tensor<?x4xf32, #graph.dims<n, _>>
}

// CASE fires: padding is a guard on a read.
// CHECK-LABEL: func.func private @padded(
func.func private @padded(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32> {
  // CHECK-NEXT: te.compute "max_pool2d" [%n to 1, %c to 3, %h to 4, %w to 4] reduce [%r to 3, %s to 3]
  // CHECK:        te.read %x[%n, %c, %h * 2 + %r - 1, %w * 2 + %s - 1] where (%h * 2 + %r >= 1, %w * 2 + %s >= 1) else %{{.*}} : tensor<1x3x8x8xf32>
  // CHECK:        te.reduce <max>
  %p = graph.max_pool2d %x kernel [3, 3] strides [2, 2] padding [1, 1, 1, 0] : tensor<1x3x4x4xf32>
  func.return %p : tensor<1x3x4x4xf32>
}

// CASE fires: the greatest elements of windows that overlap are taken axis by axis.
// CHECK-LABEL: func.func private @overlapping(
func.func private @overlapping(%x: tensor<1x3x8x8xf32>) -> tensor<1x3x8x7xf32> {
  // CHECK-NEXT: te.compute "max_pool2d_axis0" [%n to 1, %c to 3, %h to 8, %w to 8] reduce [%r to 3, %s to 1]
  // CHECK:        te.read %x[%n, %c, %h + %r - 1, %w + %s] where (%h + %r >= 1, %h + %r < 9) else
  // CHECK:      te.compute "max_pool2d" [%n{{.*}} to 1, %c{{.*}} to 3, %h{{.*}} to 8, %w{{.*}} to 7] reduce [%r{{.*}} to 1, %s{{.*}} to 3]
  %p = graph.max_pool2d %x kernel [3, 3] padding [1, 1, 1, 0] : tensor<1x3x8x7xf32>
  func.return %p : tensor<1x3x8x7xf32>
}

// CASE leaves alone: a function without operators.
// CHECK-LABEL: func.func private @pass_on(
// CHECK-NEXT:    func.return %x
func.func private @pass_on(%x: tensor<8xf32>) -> tensor<8xf32> {
  func.return %x : tensor<8xf32>
}

// CASE fires: a shape that is matched is a view between kernels.
// CHECK-LABEL: func.func @matched(
func.func @matched(%x: tensor<?x4xf32, #graph.dims<n, _>>, %y: tensor<?xf32, #graph.dims<m>>) -> tensor<?x4xf32, #graph.dims<m, _>> {
  // CHECK-NEXT: %z = te.match %x : tensor<?x4xf32, #graph.dims<n, _>> to tensor<?x4xf32, #graph.dims<m, _>>
  // CHECK-NEXT: func.return %z
  %z = graph.match_shape %x, %y shape ["#1.0", 4] : tensor<?x4xf32, #graph.dims<m, _>>
  func.return %z : tensor<?x4xf32, #graph.dims<m, _>>
}
