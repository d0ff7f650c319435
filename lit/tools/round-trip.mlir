// RUN: ROUNDTRIP

// CHECK: func.func @add(%a: i32, %b: i32) -> i32 {
// CHECK-NEXT: %c = arith.addi %a, %b : i32
func.func @add(%a: i32, %b: i32) -> i32 {
  %c = arith.addi %a, %b : i32
  func.return %c : i32
}

// -----

// CHECK: // -----
// CHECK: func.func private @external(i32)
func.func private @external(i32)
