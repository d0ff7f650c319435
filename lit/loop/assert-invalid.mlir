// RUN: opt-tool --verify-diagnostics --split-input-file %s -o /dev/null

func.func private @main(%k: index) {
  // expected-error @+1 {{expected a value for each of 1 {} in the message, but got 0}}
  loop.assert (%k >= 0), "expected no negative index, but got {}" ()
  func.return
}
