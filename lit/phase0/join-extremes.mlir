// RUN: opt-tool --pass join-extremes %s | filecheck %s

// CASE fires: row by row where rows are open.
// CHECK-LABEL: func.func @open(
// CHECK-NEXT: %[[L:.*]], %[[H:.*]] = graph.reduce_range %x axes [2] : tensor<1x?xf32, #graph.dims<_, n>>, tensor<1x?xf32, #graph.dims<_, n>>
// CHECK-NEXT: %high = graph.reduce_max %[[H]] axes [0, 1] : tensor<f32>
// CHECK-NEXT: %low = graph.reduce_min %[[L]] axes [0, 1] : tensor<f32>
func.func @open(%x: tensor<1x?x768xf32, #graph.dims<_, n, _>>) -> tensor<f32> {
  %high = graph.reduce_max %x axes [0, 1, 2] : tensor<f32>
  %low = graph.reduce_min %x axes [0, 1, 2] : tensor<f32>
  %y = graph.sub %high, %low : tensor<f32>
  func.return %y : tensor<f32>
}

// CASE fires: in one step of known sizes, and along some of the axes.
// CHECK-LABEL: func.func @known(
// CHECK-NEXT: %low, %high = graph.reduce_range %x axes [0, 1] : tensor<i8>, tensor<i8>
// CHECK-NEXT: graph.sub %high, %low
func.func @known(%x: tensor<4x768xi8>) -> tensor<i8> {
  %low = graph.reduce_min %x axes [0, 1] : tensor<i8>
  %high = graph.reduce_max %x axes [0, 1] : tensor<i8>
  %y = graph.sub %high, %low : tensor<i8>
  func.return %y : tensor<i8>
}

// CHECK-LABEL: func.func @some(
// CHECK-NEXT: %low, %high = graph.reduce_range %x axes [1] keepdims : tensor<?x1xf32, #graph.dims<n, _>>, tensor<?x1xf32, #graph.dims<n, _>>
func.func @some(%x: tensor<?x768xf32, #graph.dims<n, _>>) -> tensor<?x1xf32, #graph.dims<n, _>> {
  %low = graph.reduce_min %x axes [1] keepdims : tensor<?x1xf32, #graph.dims<n, _>>
  %high = graph.reduce_max %x axes [1] keepdims : tensor<?x1xf32, #graph.dims<n, _>>
  %y = graph.sub %high, %low : tensor<?x1xf32, #graph.dims<n, _>>
  func.return %y : tensor<?x1xf32, #graph.dims<n, _>>
}

// CASE leaves alone: other axes, another tensor.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: reduce_range
func.func @others(%x: tensor<4x4xf32>, %v: tensor<4x4xf32>) -> tensor<4xf32> {
  %low = graph.reduce_min %x axes [0] : tensor<4xf32>
  %high = graph.reduce_max %x axes [1] : tensor<4xf32>
  %other = graph.reduce_max %v axes [0] : tensor<4xf32>
  %a = graph.sub %high, %low : tensor<4xf32>
  %y = graph.sub %other, %a : tensor<4xf32>
  func.return %y : tensor<4xf32>
}
