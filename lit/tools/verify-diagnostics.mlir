// RUN: opt-tool --split-input-file --verify-diagnostics %s | filecheck %s

// An announced error is met, on its line or on one given relative to the comment.
func.func @f(%a: i32) {
  %c = arith.addi %a, %b : i32 // expected-error {{value %b is used but not defined}}
  func.return
}

// -----

func.func @g(%a: f32) -> i32 {
  // expected-error @below {{TW0103}}
  func.return %a : f32
}

// -----

func.func @h(%a: f32) -> i32 {
  // expected-error @+1 {{Expected arguments to have the same types}}
  func.return %a : f32
}

// -----

// Parts without a comment are printed.
// CHECK: func.func @fine()
func.func @fine() {
  func.return
}
