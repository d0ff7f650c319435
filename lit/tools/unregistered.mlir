// Operations of dialects that nobody registered are read where that is asked for, and left alone.
// RUN: not opt-tool %s 2>&1 | filecheck %s --check-prefix=UNKNOWN
// RUN: opt-tool --allow-unregistered-dialect --pass remove-no-op %s | filecheck %s

// UNKNOWN: error[TW0101]: unknown dialect 'foreign'
// CHECK-LABEL: func.func @f(
// CHECK-NEXT:    %{{.*}} = "foreign.make"() {count = 3 : i32} : () -> f32
// CHECK-NEXT:    "foreign.use"(%{{.*}}) : (f32) -> ()
func.func @f() {
  %0 = "foreign.make"() {count = 3 : i32} : () -> f32
  "foreign.use"(%0) : (f32) -> ()
  func.return
}
