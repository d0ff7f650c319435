// RUN: opt-tool --pass integer-products --remarks %s 2>&1 | filecheck %s

// CASE remarks: what is computed on integers, and why something is not.
// CHECK-DAG: remark[TW0780]: graph.dense is computed on integers, int8 by int8
// CHECK-DAG: remark[TW0793]: graph.conv2d is not computed on integers: its weights are not known
// CHECK-DAG: remark[TW0793]: graph.dense is not computed on integers: it reads numbers that are not quantised
// CHECK-DAG: remark[TW0793]: graph.dense is not computed on integers: its sums may exceed 32 bits
// CHECK-DAG: remark[TW0793]: graph.dense is not computed on integers: its scales are a vector along an axis that is summed over, or one of several matrices
// CHECK-DAG: remark[TW0793]: graph.matmul is not computed on integers: it reads numbers that are not quantised
// CHECK-DAG: remark[TW0793]: graph.softmax is not computed on integers: its result is not quantised, or not by one known scale
func.func @main(%x: tensor<2x3xi8>, %w: tensor<1x1x1x1xi8>, %i: tensor<1x1x4x4xi8>, %f: tensor<4x3xf32>, %l: tensor<2x3xi16>) {
  %s = graph.constant dense<0.5> : tensor<f32>
  %v = graph.constant dense<0.5> : tensor<3xf32>
  %c = graph.constant dense<3> : tensor<4x3xi8>
  %d = graph.constant dense<30000> : tensor<4x3xi16>
  %0 = graph.dequantize %x, %s to f32 : tensor<2x3xf32>
  %1 = graph.dequantize %w, %s to f32 : tensor<1x1x1x1xf32>
  %2 = graph.dequantize %i, %s to f32 : tensor<1x1x4x4xf32>
  %3 = graph.conv2d %2, %1 : tensor<1x1x4x4xf32>
  %4 = graph.dense %0, %f : tensor<2x4xf32>
  %5 = graph.dequantize %l, %s to f32 : tensor<2x3xf32>
  %6 = graph.dequantize %d, %s to f32 : tensor<4x3xf32>
  %7 = graph.dense %5, %6 : tensor<2x4xf32>
  %8 = graph.softmax %0 : tensor<2x3xf32>
  %9 = graph.dequantize %c, %v axis 1 to f32 : tensor<4x3xf32>
  %10 = graph.dense %0, %9 : tensor<2x4xf32>
  %11 = graph.dequantize %c, %s to f32 : tensor<4x3xf32>
  %12 = graph.dense %0, %11 : tensor<2x4xf32>
  %13 = graph.matmul %4, %f : tensor<2x3xf32>
  func.return
}
