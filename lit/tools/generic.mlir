// RUN: opt-tool --print-op-generic %s | filecheck %s
// RUN: opt-tool --print-locations %s | filecheck %s --check-prefix LOC

// CHECK: "func.func"() <{sym_name = "f", function_type = (i32) -> i32}> ({
// CHECK-NEXT: ^bb0(%a: i32):
// CHECK-NEXT: "func.return"(%a) : (i32) -> ()
// LOC: func.return %a : i32 loc("{{.*}}generic.mlir":9:3)
func.func @f(%a: i32) -> i32 {
  func.return %a : i32
}
