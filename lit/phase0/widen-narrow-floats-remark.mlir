// RUN: opt-tool --pass widen-narrow-floats --remarks %s 2>&1 | filecheck %s

module attributes {tw.target = #target.cpu<features ["avx2", "fma", "avx512f", "avx512bf16", "sse4a"], vector_bits 512, caches [32768, 524288, 0], threads 1>} {

// CASE remarks: what is computed in float32, and why something is not.
// CHECK: remark[TW0791]: graph.matmul of float16 is computed in float32
// CHECK: remark[TW0792]: graph.matmul is not computed in float32: it may have 8 rows, not more than 8
// CHECK: remark[TW0792]: graph.matmul is not computed in float32: the target has an instruction for products of bfloat16
// CHECK: remark[TW0791]: graph.conv2d of bfloat16 is computed in float32
func.func @main(%a: tensor<9x3xf16>, %b: tensor<8x3xf16>, %c: tensor<16x32xbf16>, %x: tensor<1x2x3x3xbf16>) {
  %w = graph.constant dense<1.0> : tensor<3x4xf16>
  %v = graph.constant dense<1.0> : tensor<32x32xbf16>
  %u = graph.constant dense<1.0> : tensor<2x2x1x1xbf16>
  %0 = graph.matmul %a, %w : tensor<9x4xf16>
  %1 = graph.matmul %b, %w : tensor<8x4xf16>
  %2 = graph.matmul %c, %v : tensor<16x32xbf16>
  %3 = graph.conv2d %x, %u : tensor<1x2x3x3xbf16>
  func.return
}

}
