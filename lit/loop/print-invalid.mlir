// RUN: opt-tool --verify-diagnostics --split-input-file %s -o /dev/null

func.func private @main(%k: index, %a: f32) {
  // expected-error @+1 {{expected a {} in the message for each of 2 values, but got 1}}
  loop.print "a = {}" (%k) %a : f32
  func.return
}

// -----

func.func private @main(%a: f16) {
  // expected-error @+1 {{expected an integer, an index, f32 or f64 to print, but got f16}}
  loop.print "a = {}" () %a : f16
  func.return
}
