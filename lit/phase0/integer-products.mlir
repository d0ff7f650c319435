// RUN: opt-tool --pass integer-products,dead-code --split-input-file %s | filecheck %s

// CASE fires: an asymmetric image by weights with a scale for each channel; relu is a bound, zero points are in the bias.
// CHECK-LABEL: func.func @convolution(
func.func @convolution(%x: tensor<1x1x4x4xui8>) -> tensor<1x2x4x4xui8> {
  // CHECK-DAG: %[[W:.*]] = graph.constant dense<[{{\[\[\[}}2]]], {{\[\[\[}}-3]]]]> : tensor<2x1x1x1xi8>
  // CHECK-DAG: %[[B:.*]] = graph.constant dense<[-213, 296]> : tensor<2xi32>
  // CHECK: %[[S:.*]] = graph.conv2d %x, %[[W]], %[[B]] padding [1, 1, 1, 1] pad_value 100 out_dtype i32 : tensor<1x2x6x6xi32>
  // CHECK: graph.cast %[[S]] to f32
  // CHECK: %[[F:.*]] = graph.constant dense<[{{\[\[}}5.000000e-01]], {{\[\[}}1.000000e+00]]]> : tensor<2x1x1xf32>
  // CHECK: graph.mul %{{.*}}, %[[F]]
  // CHECK: graph.clip %{{.*}} low 0.0 high 248.0
  // CHECK: graph.round
  // CHECK: graph.cast %{{.*}} to i32
  // CHECK: graph.add
  // CHECK: %[[Q:.*]] = graph.cast %{{.*}} to ui8
  // CHECK: graph.slice %[[Q]]
  %s = graph.constant dense<0.5> : tensor<f32>
  %z = graph.constant dense<100> : tensor<ui8>
  %w = graph.constant dense<[[[[2]]], [[[-3]]]]> : tensor<2x1x1x1xi8>
  %t = graph.constant dense<[0.25, 0.5]> : tensor<2xf32>
  %b = graph.constant dense<[-13, -4]> : tensor<2xi32>
  %u = graph.constant dense<[0.125, 0.25]> : tensor<2xf32>
  %o = graph.constant dense<0.25> : tensor<f32>
  %p = graph.constant dense<7> : tensor<ui8>
  %0 = graph.dequantize %x, %s, %z to f32 : tensor<1x1x4x4xf32>
  %1 = graph.dequantize %w, %t axis 0 to f32 : tensor<2x1x1x1xf32>
  %2 = graph.dequantize %b, %u axis 0 to f32 : tensor<2xf32>
  %3 = graph.conv2d %0, %1, %2 padding [1, 1, 1, 1] : tensor<1x2x6x6xf32>
  %4 = graph.relu %3 : tensor<1x2x6x6xf32>
  %5 = graph.slice %4 starts [0, 0, 1, 1] sizes [-1, -1, 4, 4] steps [1, 1, 1, 1] : tensor<1x2x4x4xf32>
  %6 = graph.quantize %5, %o, %p to ui8 : tensor<1x2x4x4xui8>
  func.return %6 : tensor<1x2x4x4xui8>
}

// -----

// CASE fires: a product of two activations: sums of rows and columns take the zero points off; the result stays float.
// CHECK-LABEL: func.func @product(
func.func @product(%a: tensor<?x3xui8, #graph.dims<n, _>>, %b: tensor<3x5xi8>) -> tensor<?x5xf32, #graph.dims<n, _>> {
  // CHECK: %[[S:.*]] = graph.matmul %a, %b out_dtype i32
  // CHECK: %[[R:.*]] = graph.reduce_sum %{{.*}} axes [1]
  // CHECK: graph.unsqueeze %[[R]] axes [1]
  // CHECK: graph.sub %[[S]]
  // CHECK: %[[C:.*]] = graph.reduce_sum %{{.*}} axes [0]
  // CHECK: graph.unsqueeze %[[C]] axes [0]
  // CHECK: %[[T:.*]] = graph.sub
  // CHECK: graph.cast %[[T]] to f32
  // CHECK-NEXT: graph.constant dense<1.250000e-01>
  // CHECK-NEXT: graph.mul
  // CHECK-NEXT: func.return
  %s = graph.constant dense<0.5> : tensor<f32>
  %z = graph.constant dense<100> : tensor<ui8>
  %t = graph.constant dense<0.25> : tensor<f32>
  %y = graph.constant dense<-7> : tensor<i8>
  %0 = graph.dequantize %a, %s, %z to f32 : tensor<?x3xf32, #graph.dims<n, _>>
  %1 = graph.dequantize %b, %t, %y to f32 : tensor<3x5xf32>
  %2 = graph.matmul %0, %1 : tensor<?x5xf32, #graph.dims<n, _>>
  func.return %2 : tensor<?x5xf32, #graph.dims<n, _>>
}

// -----

// CASE fires: a function of bytes reads a table, and what moves elements moves integers.
// CHECK-LABEL: func.func @function(
func.func @function(%x: tensor<2x3xi8>) -> tensor<3x2xi8> {
  // CHECK: %[[X:.*]] = graph.transpose %x permutation [1, 0] : tensor<3x2xi8>
  // CHECK: graph.lookup %[[X]], %{{.*}} : tensor<3x2xi8>
  // CHECK-NEXT: func.return
  %s = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.dequantize %x, %s to f32 : tensor<2x3xf32>
  %1 = graph.transpose %0 permutation [1, 0] : tensor<3x2xf32>
  %2 = graph.sigmoid %1 : tensor<3x2xf32>
  %3 = graph.quantize %2, %s to i8 : tensor<3x2xi8>
  func.return %3 : tensor<3x2xi8>
}

// -----

// CASE fires: a function of a number and of a function of it is one table.
// CHECK-LABEL: func.func @gated(
func.func @gated(%x: tensor<2x3xi8>) -> tensor<2x3xui8> {
  // CHECK: %[[Y:.*]] = graph.lookup %x, %{{.*}} : tensor<2x3xui8>
  // CHECK-NEXT: func.return %[[Y]]
  %s = graph.constant dense<0.5> : tensor<f32>
  %t = graph.constant dense<0.00390625> : tensor<f32>
  %0 = graph.dequantize %x, %s to f32 : tensor<2x3xf32>
  %1 = graph.sigmoid %0 : tensor<2x3xf32>
  %2 = graph.quantize %1, %t to ui8 : tensor<2x3xui8>
  %3 = graph.dequantize %2, %t to f32 : tensor<2x3xf32>
  %4 = graph.mul %0, %3 : tensor<2x3xf32>
  %5 = graph.quantize %4, %s to ui8 : tensor<2x3xui8>
  func.return %5 : tensor<2x3xui8>
}

// -----

// CASE fires: sums of one scale, and what is quantised as before.
// CHECK-LABEL: func.func @sum(
func.func @sum(%x: tensor<4xi8>, %y: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  // CHECK: %[[A:.*]] = graph.cast %x to i32
  // CHECK: %[[B:.*]] = graph.cast %y to i32
  // CHECK: graph.add %[[A]], %[[B]] : tensor<4xi32>
  // CHECK: %[[Q:.*]] = graph.cast %{{.*}} to i8
  // CHECK: func.return %[[Q]], %x
  %s = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.dequantize %x, %s to f32 : tensor<4xf32>
  %1 = graph.dequantize %y, %s to f32 : tensor<4xf32>
  %2 = graph.add %0, %1 : tensor<4xf32>
  %3 = graph.quantize %2, %s to i8 : tensor<4xi8>
  %4 = graph.quantize %0, %s to i8 : tensor<4xi8>
  func.return %3, %4 : tensor<4xi8>, tensor<4xi8>
}

// -----

// CASE leaves alone: scales that are known only when the program is called.
// CHECK-LABEL: func.func @unknown(
func.func @unknown(%x: tensor<2x3xi8>, %s: tensor<f32>, %w: tensor<4x3xf32>) -> tensor<2x4xf32> {
  // CHECK-NEXT: %[[X:.*]] = graph.dequantize %x, %s to f32
  // CHECK-NEXT: graph.dense %[[X]], %w
  %0 = graph.dequantize %x, %s to f32 : tensor<2x3xf32>
  %1 = graph.dense %0, %w : tensor<2x4xf32>
  func.return %1 : tensor<2x4xf32>
}
