// RUN: opt-tool --pass fuse-dot4 --target none %s | filecheck %s

// CASE fires: a sum of products that is used once and the addition that uses it are one operation.
// CHECK-LABEL: func.func private @sums(
// CHECK-NEXT:    %s = loop.call_intrin "dot4_u8s8_add"(%c, %a, %b) : (vector<8xi32>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
// CHECK-NEXT:    %t = loop.call_intrin "dot4_s8s8_add"(%s, %b, %c) : (vector<8xi32>, vector<8xi32>, vector<8xi32>) -> vector<8xi32>
// CHECK-NEXT:    func.return %t
func.func private @sums(%a: vector<8xi32>, %b: vector<8xi32>, %c: vector<8xi32>) -> vector<8xi32> {
  %d = loop.call_intrin "dot4_u8s8"(%a, %b) : (vector<8xi32>, vector<8xi32>) -> vector<8xi32>
  %s = arith.addi %d, %c : vector<8xi32>
  %e = loop.call_intrin "dot4_s8s8"(%b, %c) : (vector<8xi32>, vector<8xi32>) -> vector<8xi32>
  %t = arith.addi %s, %e : vector<8xi32>
  func.return %t : vector<8xi32>
}

// CASE leaves alone: the sum of products is used twice, or computed outside of the loop; other intrinsics stay.
// CHECK-LABEL: func.func private @others(
// CHECK-NOT:     _add
func.func private @others(%a: i32, %b: i32, %C: memref<8xi32>) -> i32 {
  %d = loop.call_intrin "dot4_u8s8"(%a, %b) : (i32, i32) -> i32
  loop.for %i = 0 to 8 {
    %c = loop.load %C[%i] : memref<8xi32>
    %s = arith.addi %c, %d : i32
    loop.store %s, %C[%i] : memref<8xi32>
  }
  %e = loop.call_intrin "dot4_u8u8"(%a, %b) : (i32, i32) -> i32
  %t = arith.addi %e, %e : i32
  %f = loop.call_intrin "x86.pmaddwd"(%a, %t) : (i32, i32) -> i32
  %u = arith.addi %t, %f : i32
  func.return %u : i32
}
