// RUN: opt-tool --pass "lower-intrinsics{target=cpu}" --split-input-file --target none %s | filecheck %s

// CASE fires: without fused multiply-add the polynomial is made of products and sums.
// CHECK-LABEL: func.func private @exp(
// CHECK-NOT:     math.exp
// CHECK-NOT:     math.fma
// CHECK:         func.return %{{.*}} : vector<8xf32>
func.func private @exp(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.exp %x : vector<8xf32>
  func.return %y : vector<8xf32>
}

// CASE leaves alone: there is no rule for other types and functions.
// CHECK-LABEL: func.func private @others(
// CHECK-NEXT:    math.exp %x : f64
// CHECK-NEXT:    math.asinh %z : f32
func.func private @others(%x: f64, %z: f32) -> (f64, f32) {
  %y = math.exp %x : f64
  %s = math.asinh %z : f32
  func.return %y, %s : f64, f32
}

// -----

builtin.module attributes {tw.target = #target.cpu<features ["fma"], vector_bits 256, caches [1, 1, 1], threads 1>} {
  // CASE fires: with fused multiply-add the polynomial is made of those.
  // CHECK-LABEL: func.func private @fused(
  // CHECK:         math.fma
  func.func private @fused(%x: f32) -> f32 {
    %y = math.exp %x : f32
    func.return %y : f32
  }
}
