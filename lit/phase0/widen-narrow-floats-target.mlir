// RUN: opt-tool --pass widen-narrow-floats --target none %s | filecheck %s

// CASE leaves alone: without a target nothing is known of what computes narrow floats.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: f32
// CHECK: return
func.func @main(%a: tensor<9x3xf16>, %w: tensor<3x4xf16>) -> tensor<9x4xf16> {
  %y = graph.matmul %a, %w : tensor<9x4xf16>
  func.return %y : tensor<9x4xf16>
}
