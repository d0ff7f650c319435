// RUN: opt-tool --pass eliminate-common-subexpressions %s | filecheck %s

// CASE fires: equal constants first, then what is computed from them.
// CHECK-LABEL: func.func @equal(
func.func @equal(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %a = graph.constant dense<2.000000e+00> : tensor<f32>
  // CHECK-NEXT: %p = graph.mul %x, %a : tensor<8xf32>
  // CHECK-NEXT: %y = graph.add %p, %p : tensor<8xf32>
  // CHECK-NEXT: func.return %y
  %a = graph.constant dense<2.0> : tensor<f32>
  %b = graph.constant dense<2.0> : tensor<f32>
  %p = graph.mul %x, %a : tensor<8xf32>
  %q = graph.mul %x, %b : tensor<8xf32>
  %y = graph.add %p, %q : tensor<8xf32>
  func.return %y : tensor<8xf32>
}

// CASE leaves alone: operators with different properties, order of operands or types differ.
// CHECK-LABEL: func.func @different(
func.func @different(%x: tensor<2x2xf32>, %z: tensor<2x2xf32>) {
  // CHECK-COUNT-2: graph.softmax
  %0 = graph.softmax %x axis 0 : tensor<2x2xf32>
  %1 = graph.softmax %x axis 1 : tensor<2x2xf32>
  // CHECK-COUNT-2: graph.sub
  %2 = graph.sub %x, %z : tensor<2x2xf32>
  %3 = graph.sub %z, %x : tensor<2x2xf32>
  // CHECK-COUNT-2: graph.constant
  %4 = graph.constant dense<0> : tensor<i32>
  %5 = graph.constant dense<0> : tensor<i64>
  // CHECK-COUNT-2: graph.constant resource
  %6 = graph.constant resource<"a"> : tensor<9xf32>
  %7 = graph.constant resource<"b"> : tensor<9xf32>
  func.return
}

// CASE fires: a group sees only itself; two groups are not compared.
// CHECK-LABEL: func.func @groups(
func.func @groups(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %e = graph.exp %x
  %e = graph.exp %x : tensor<8xf32>
  // CHECK-NEXT: graph.fused
  // CHECK-NEXT:   %0 = graph.exp %a
  // CHECK-NEXT:   graph.add %0, %0
  %r = graph.fused "g" (%a = %e : tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = graph.exp %a : tensor<8xf32>
    %1 = graph.exp %a : tensor<8xf32>
    %2 = graph.add %0, %1 : tensor<8xf32>
    graph.yield %2
  }
  func.return %r : tensor<8xf32>
}
