// RUN: opt-tool --pass "lower-intrinsics{target=cpu}" --verify-diagnostics --target none %s

// CASE errs: no rule says what this intrinsic is.
func.func private @unknown(%x: f32) -> f32 {
  // expected-error @+1 {{expected a rule that lowers intrinsic 'mylog' of float32 for target 'cpu', but there are rules for no target}}
  %y = loop.call_intrin "mylog"(%x) : (f32) -> f32
  func.return %y : f32
}
