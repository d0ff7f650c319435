// RUN: opt-tool --verify-diagnostics --split-input-file %s -o /dev/null

func.func private @main(%going: memref<4xi1>) {
  // expected-error @+1 {{expected a condition in a buffer of one i1, but got memref<4xi1>}}
  loop.while %i holds %going : memref<4xi1> { }
  func.return
}
