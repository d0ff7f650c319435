// RUN: opt-tool --pass fold-constant,dead-code --split-input-file %s | filecheck %s
// RUN: opt-tool --pass "fold-constant{limit=16},dead-code" --split-input-file %s | filecheck %s --check-prefix SMALL

// CASE fires: everything here is known.
// CHECK-LABEL: func.func @chain(
func.func @chain() -> tensor<2x3xf32> {
  // CHECK-NEXT: %t = graph.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00]]> : tensor<2x3xf32>
  // CHECK-NEXT: func.return %t
  %a = graph.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  %b = graph.constant dense<1.0> : tensor<f32>
  %c = graph.add %a, %b : tensor<3x2xf32>
  %t = graph.transpose %c permutation [1, 0] : tensor<2x3xf32>
  func.return %t : tensor<2x3xf32>
}

// -----

// CASE fires: larger results become resources, named after their content.
// CHECK-LABEL: func.func @large(
// SMALL-LABEL: func.func @large(
func.func @large() -> tensor<5x5xi64> {
  // CHECK-NEXT: graph.constant resource<"broadcast_to#{{[0-9a-f]+}}"> : tensor<5x5xi64>
  // SMALL: graph.broadcast_to
  %a = graph.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi64>
  %b = graph.broadcast_to %a shape [5, 5] : tensor<5x5xi64>
  func.return %b : tensor<5x5xi64>
}

// -----

// CASE fires: a cast to a wider type is folded where its result is only summed.
// SMALL-LABEL: func.func @widened(
func.func @widened() -> (tensor<1xi32>, tensor<1x6xi32>) {
  // SMALL-DAG: graph.constant dense<21> : tensor<1xi32>
  // SMALL-DAG: graph.cast
  %a = graph.constant dense<[[1, 2, 3, 4, 5, 6]]> : tensor<1x6xi8>
  %b = graph.constant dense<[[6, 5, 4, 3, 2, 1]]> : tensor<1x6xi8>
  %c = graph.cast %a to i32 : tensor<1x6xi32>
  %d = graph.cast %b to i32 : tensor<1x6xi32>
  %s = graph.reduce_sum %c axes [1] : tensor<1xi32>
  func.return %s, %d : tensor<1xi32>, tensor<1x6xi32>
}

// -----

// CASE leaves alone: what depends on an argument, or on data that is not there, stays.
// CHECK-LABEL: func.func @unknown(
func.func @unknown(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK: graph.add
  // CHECK: graph.exp
  %a = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = graph.constant resource<"r"> : tensor<2xf32>
  %s = graph.add %a, %x : tensor<2xf32>
  %e = graph.exp %r : tensor<2xf32>
  func.return %s, %e : tensor<2xf32>, tensor<2xf32>
}

// -----

// CASE fires: results of several, and results of rank 0.
// CHECK-LABEL: func.func @several(
func.func @several() -> (tensor<1xi32>, tensor<2xi32>, tensor<i32>) {
  // CHECK-DAG: graph.constant dense<1> : tensor<1xi32>
  // CHECK-DAG: graph.constant dense<[2, 3]> : tensor<2xi32>
  // CHECK-DAG: graph.constant dense<6> : tensor<i32>
  %a = graph.constant dense<[1, 2, 3]> : tensor<3xi32>
  %p, %q = graph.split %a sizes [1, 2] : tensor<1xi32>, tensor<2xi32>
  %s = graph.reduce_sum %a axes [0] : tensor<i32>
  func.return %p, %q, %s : tensor<1xi32>, tensor<2xi32>, tensor<i32>
}
