// RUN: opt-tool --pass inline-calls --verify-diagnostics --split-input-file %s

// CASE errs: a function without a body cannot be put anywhere.
func.func private @elsewhere()
func.func @main() {
  // expected-error @+1 {{expected a definition of function @elsewhere}}
  func.call @elsewhere() : () -> ()
  func.return
}

// -----

// CASE errs: a function that calls itself has no end.
func.func @main() {
  // expected-error @+1 {{expected functions without recursion, but @main has some}}
  func.call @main() : () -> ()
  func.return
}
