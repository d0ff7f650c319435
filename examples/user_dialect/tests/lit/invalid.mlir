// RUN: opt-tool --verify-diagnostics --split-input-file %s

func.func private @f(%x: f32) -> f32 {
  // expected-error @+1 {{expected at least one coefficient, but got none}}
  %y = poly.eval %x [] : f32
  func.return %y : f32
}

// -----

func.func private @f(%x: i32) -> i32 {
  // expected-error @+1 {{poly.eval}}
  %y = poly.eval %x [1.0] : i32
  func.return %y : i32
}
