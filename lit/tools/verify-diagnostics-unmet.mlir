// RUN: not opt-tool --split-input-file --verify-diagnostics %s 2>&1 | filecheck %s

// An error that does not come is an error.
// CHECK: unmet.mlir:5:1: error[TW0210]: expected error {{.*}}never comes{{.*}} did not come
// expected-error @+1 {{never comes}}
func.func @f() {
  func.return
}

// -----

// So is one on another line, or with other words: both are reported.
// CHECK: error[TW0210]: expected error {{.*}}not these words{{.*}} did not come
// CHECK: unmet.mlir:{{[0-9]+}}:46: error[TW0102]: value %b is used but not defined
// expected-error @+1 {{not these words}}
func.func @g(%a: i32) {  %c = arith.addi %a, %b : i32
  func.return
}

// -----

// An error that nothing announces is printed.
// CHECK: unmet.mlir:{{[0-9]+}}:1: error[TW0101]: unknown operation 'func.fun'; did you mean 'func.func'?
func.fun @h() {}
