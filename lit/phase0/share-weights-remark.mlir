// RUN: opt-tool --pass share-weights --remarks %s 2>&1 | filecheck %s

// CASE remarks: rows are gathered from the columns that a product reads.
// CHECK: remark[TW0766]: graph.gather reads rows of weights as a product has them
func.func @packed(%ids: tensor<4xi64>) -> tensor<4x128xf32> {
  %w = graph.constant dense<1.0> : tensor<128x64xf32>
  %p = graph.constant dense<1.0> : tensor<8x64x16xf32>
  %e = graph.gather %w, %ids axis 0 : tensor<4x64xf32>
  %y = graph.packed_matmul %e, %p : tensor<4x128xf32>
  func.return %y : tensor<4x128xf32>
}
