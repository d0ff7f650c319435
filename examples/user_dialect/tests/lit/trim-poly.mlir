// RUN: opt-tool --validate --pass trim-poly %s | filecheck %s

// CASE fires: the square has the coefficient 0.
// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[X:.*]]: f32) -> f32 {
// CHECK-NEXT:    %[[Y:.*]] = poly.eval %[[X]] [2.000000e+00 : f64, 5.000000e-01 : f64] : f32
// CHECK-NEXT:    func.return %[[Y]] : f32
func.func @linear(%x: f32) -> f32 {
  %y = poly.eval %x [0.0, 2.0, 0.5] : f32
  func.return %y : f32
}

// CASE leaves alone: a constant keeps its one coefficient.
// CHECK-LABEL: func.func @zero(
// CHECK-SAME:    %[[X:.*]]: f32) -> f32 {
// CHECK-NEXT:    %[[Y:.*]] = poly.eval %[[X]] [0.000000e+00 : f64] : f32
// CHECK-NEXT:    func.return %[[Y]] : f32
func.func @zero(%x: f32) -> f32 {
  %y = poly.eval %x [0.0] : f32
  func.return %y : f32
}
