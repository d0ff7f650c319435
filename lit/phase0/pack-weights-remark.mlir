// RUN: opt-tool --pass pack-weights --remarks %s 2>&1 | filecheck %s

module attributes {tw.target = #target.cpu<features ["avx2", "fma"], vector_bits 256, caches [32768, 524288, 0], threads 1>} {

// CASE remarks: what is packed, and why something is not.
// CHECK: remark[TW0766]: graph.matmul of 8 rows reads weights in blocks of 16 columns
// CHECK: remark[TW0767]: the weights of graph.matmul are not packed: its 24 columns are no blocks of 16
// CHECK: remark[TW0767]: the weights of graph.matmul are not packed: it has 1000 rows, not 2 to 160
// CHECK: remark[TW0767]: the weights of graph.matmul are not packed: vectors of 4 elements are too short
// CHECK: remark[TW0766]: graph.rnn reads recurrent weights in blocks of 8 units
// CHECK: remark[TW0767]: the weights of graph.rnn are not packed: its 3 units fill no vector
func.func @main(%a: tensor<2x4x3xf32>, %b: tensor<1000x3xf32>, %c: tensor<4x3xf64>) {
  %w = graph.constant dense<1.0> : tensor<3x32xf32>
  %v = graph.constant dense<1.0> : tensor<3x24xf32>
  %u = graph.constant dense<1.0> : tensor<3x32xf64>
  %0 = graph.matmul %a, %w : tensor<2x4x32xf32>
  %1 = graph.matmul %a, %v : tensor<2x4x24xf32>
  %2 = graph.matmul %b, %w : tensor<1000x32xf32>
  %3 = graph.matmul %c, %u : tensor<4x32xf64>
  func.return
}

func.func @layers(%g: tensor<5x2x9xf32>, %h: tensor<2x9xf32>, %f: tensor<5x2x3xf32>, %e: tensor<2x3xf32>) {
  %r = graph.constant dense<1.0> : tensor<9x9xf32>
  %s = graph.constant dense<1.0> : tensor<3x3xf32>
  %0, %1 = graph.rnn %g, %r, %h : tensor<5x2x9xf32>, tensor<2x9xf32>
  %2, %3 = graph.rnn %f, %s, %e : tensor<5x2x3xf32>, tensor<2x3xf32>
  func.return
}

}
