// RUN: ROUNDTRIP

// CHECK-LABEL: func.func @branch(
func.func @branch(%x: tensor<8xf32>, %c: tensor<i1>) -> tensor<8xf32> {
  // CHECK-NEXT: %y = graph.if %c -> (tensor<8xf32>) attributes {note = 1 : i64} {
  // CHECK-NEXT:   graph.relu %x : tensor<8xf32>
  // CHECK-NEXT:   graph.yield
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   graph.yield %x
  %y = graph.if %c -> (tensor<8xf32>) attributes {note = 1 : i64} {
    %0 = graph.relu %x : tensor<8xf32>
    graph.yield %0
  } else {
    graph.yield %x
  }
  func.return %y : tensor<8xf32>
}

// CHECK-LABEL: func.func @loops(
func.func @loops(%x: tensor<?xf32, #graph.dims<m>>, %c: tensor<i1>, %n: tensor<i64>, %xs: tensor<?x4xf32, #graph.dims<m, _>>) {
  // CHECK-NEXT: %last, %all = graph.loop %k carry (%h = %x : tensor<?xf32, #graph.dims<m>>) scan (%e = %xs : tensor<?x4xf32, #graph.dims<m, _>>) -> (tensor<?xf32, #graph.dims<m>>, tensor<?x4xf32, #graph.dims<m, _>>) {
  %last, %all = graph.loop %k carry (%h = %x : tensor<?xf32, #graph.dims<m>>) scan (%e = %xs : tensor<?x4xf32, #graph.dims<m, _>>)
      -> (tensor<?xf32, #graph.dims<m>>, tensor<?x4xf32, #graph.dims<m, _>>) {
    graph.yield %h, %e
  }
  // CHECK: %a = graph.loop %k_1 to 5 -> (tensor<5xi64>) {
  %a = graph.loop %k to 5 -> (tensor<5xi64>) {
    graph.yield %k
  }
  // CHECK: %b = graph.loop %k_2 to m -> (tensor<?xi64, #graph.dims<m>>) {
  %b = graph.loop %k to m -> (tensor<?xi64, #graph.dims<m>>) {
    graph.yield %k
  }
  // CHECK: %d = graph.loop %k_3 to "2 * m" while %c carry (%h_1 = %n : tensor<i64>) -> (tensor<i64>) {
  %d = graph.loop %k to "2 * m" while %c carry (%h = %n : tensor<i64>) -> (tensor<i64>) {
    graph.yield %c, %k
  }
  // CHECK: %f = graph.loop %k_4 to %n carry (%h_2 = %n : tensor<i64>) -> (tensor<i64>) attributes {note} {
  %f = graph.loop %k to %n carry (%h = %n : tensor<i64>) -> (tensor<i64>) attributes {note} {
    graph.yield %k
  }
  // CHECK: %g = graph.loop %k_5 to 3 while %c -> (tensor<3xi64>) {
  %g = graph.loop %k to 3 while %c -> (tensor<3xi64>) {
    graph.yield %c, %k
  }
  func.return
}
