// RUN: opt-tool --pass share-weights %s | filecheck %s

// CASE fires: rows come from the columns that a product reads.
// CHECK-LABEL: func.func @packed(
// CHECK: %[[E:.*]] = graph.packed_gather %{{.*}}, %ids : tensor<4x64xf32>
// CHECK-NEXT: graph.packed_matmul %[[E]], %{{.*}} : tensor<4x128xf32>
func.func @packed(%ids: tensor<4xi64>) -> tensor<4x128xf32> {
  %w = graph.constant dense<1.0> : tensor<128x64xf32>
  %p = graph.constant dense<1.0> : tensor<8x64x16xf32>
  %e = graph.gather %w, %ids axis 0 : tensor<4x64xf32>
  %y = graph.packed_matmul %e, %p : tensor<4x128xf32>
  func.return %y : tensor<4x128xf32>
}

// CASE fires: rows come from a transpose that stands behind them.
// CHECK-LABEL: func.func @transposed(
// CHECK: %[[C:.*]] = graph.gather %{{.*}}, %ids axis 1 : tensor<64x2x3xf32>
// CHECK-NEXT: %[[E:.*]] = graph.transpose %[[C]] permutation [1, 2, 0] : tensor<2x3x64xf32>
func.func @transposed(%ids: tensor<2x3xi64>) -> tensor<2x3x100xf32> {
  %w = graph.constant dense<1.0> : tensor<100x64xf32>
  %e = graph.gather %w, %ids axis 0 : tensor<2x3x64xf32>
  %t = graph.constant dense<1.0> : tensor<64x100xf32>
  %y = graph.matmul %e, %t : tensor<2x3x100xf32>
  func.return %y : tensor<2x3x100xf32>
}

// CASE leaves alone: other elements, another reader of the matrix, columns that are gathered, other types, and few
// elements.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: packed_gather
// CHECK-NOT: graph.transpose
// CHECK: func.return
func.func @others(%ids: tensor<4xi64>, %x: tensor<4x64xf32>, %h: tensor<4x64xf16>) {
  %w = graph.constant dense<7.0> : tensor<128x64xf32>
  %v = graph.constant dense<2.0> : tensor<8x64x16xf32>
  %0 = graph.gather %w, %ids axis 0 : tensor<4x64xf32>
  %1 = graph.packed_matmul %x, %v : tensor<4x128xf32>

  %a = graph.constant dense<3.0> : tensor<100x64xf32>
  %b = graph.constant dense<3.0> : tensor<64x100xf32>
  %2 = graph.gather %a, %ids axis 0 : tensor<4x64xf32>
  %3 = graph.relu %a : tensor<100x64xf32>
  %4 = graph.matmul %x, %b : tensor<4x100xf32>

  %c = graph.constant dense<4.0> : tensor<64x90xf32>
  %d = graph.constant dense<4.0> : tensor<90x64xf32>
  %5 = graph.gather %c, %ids axis 1 : tensor<64x4xf32>
  %6 = graph.matmul %x, %d transpose_b : tensor<4x90xf32>

  %e = graph.constant dense<5.0> : tensor<80x64xf32>
  %f = graph.constant dense<5.0> : tensor<64x80xf16>
  %7 = graph.gather %e, %ids axis 0 : tensor<4x64xf32>
  %8 = graph.matmul %h, %f : tensor<4x80xf16>

  %g = graph.constant dense<6.0> : tensor<32x64xf32>
  %k = graph.constant dense<6.0> : tensor<64x32xf32>
  %9 = graph.gather %g, %ids axis 0 : tensor<4x64xf32>
  %10 = graph.matmul %x, %k : tensor<4x32xf32>
  func.return
}
