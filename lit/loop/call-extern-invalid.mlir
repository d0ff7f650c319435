// RUN: opt-tool --verify-diagnostics --split-input-file %s

func.func private @box(%A: memref<4x8xf32>) {
  // expected-error @+1 {{expected a box within an extent of 8, but it reaches over 9}}
  loop.call_extern "f"(read %A[0, 0] box [4, 9] : memref<4x8xf32>)
  func.return
}

// -----

func.func private @stride(%A: memref<4x8xf32>) {
  // expected-error @+1 {{expected a dimension below 2, but got 2}}
  loop.call_extern "f"(stride %A 2 of memref<4x8xf32> : i64)
  func.return
}

// -----

// expected-error @+1 {{expected a language of llvm, c, but got 'fortran'}}
func.func private @foreign() attributes {tw.foreign = [#loop.foreign<"fortran", "">]} {
  func.return
}
