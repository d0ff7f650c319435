// RUN: opt-tool --pass materialize-region-results %s | filecheck %s

// CASE fires: what a branch passes on from outside is copied.
// CHECK-LABEL: func.func @branch(
// CHECK-NEXT:  %y = graph.if %c -> (tensor<8xf32>) {
// CHECK-NEXT:    %0 = graph.relu %x : tensor<8xf32>
// CHECK-NEXT:    graph.yield %0
// CHECK-NEXT:  } else {
// CHECK-NEXT:    %1 = graph.identity %x : tensor<8xf32>
// CHECK-NEXT:    graph.yield %1
func.func @branch(%x: tensor<8xf32>, %c: tensor<i1>) -> tensor<8xf32> {
  %y = graph.if %c -> (tensor<8xf32>) {
    %0 = graph.relu %x : tensor<8xf32>
    graph.yield %0
  } else {
    graph.yield %x
  }
  func.return %y : tensor<8xf32>
}

// CASE fires: an addition needs the old value beside the new one, and collected values have another buffer.
// CHECK-LABEL: func.func @sum(
// CHECK-NEXT:  %0 = graph.identity %init : tensor<4xf32>
// CHECK-NEXT:  graph.loop %k carry (%h = %0 : tensor<4xf32>) scan (%x = %xs : tensor<9x4xf32>)
// CHECK-NEXT:    %next = graph.add %h, %x : tensor<4xf32>
// CHECK-NEXT:    %1 = graph.identity %next : tensor<4xf32>
// CHECK-NEXT:    graph.yield %1, %next
func.func @sum(%init: tensor<4xf32>, %xs: tensor<9x4xf32>) -> (tensor<4xf32>, tensor<9x4xf32>) {
  %last, %all = graph.loop %k carry (%h = %init : tensor<4xf32>) scan (%x = %xs : tensor<9x4xf32>)
      -> (tensor<4xf32>, tensor<9x4xf32>) {
    %next = graph.add %h, %x : tensor<4xf32>
    graph.yield %next, %next
  }
  func.return %last, %all : tensor<4xf32>, tensor<9x4xf32>
}

// CASE fires: two values that are exchanged are both kept before either is overwritten.
// CHECK-LABEL: func.func @exchange(
// CHECK:         graph.loop %k to 3 carry (%p = %0 : tensor<4xf32>, %q = %1 : tensor<4xf32>)
// CHECK-NEXT:    %2 = graph.identity %q : tensor<4xf32>
// CHECK-NEXT:    %3 = graph.identity %p : tensor<4xf32>
// CHECK-NEXT:    %4 = graph.identity %2 : tensor<4xf32>
// CHECK-NEXT:    graph.yield %4, %3
func.func @exchange(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %s = graph.loop %k to 3 carry (%p = %a : tensor<4xf32>, %q = %b : tensor<4xf32>)
      -> (tensor<4xf32>, tensor<4xf32>) {
    graph.yield %q, %p
  }
  func.return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// CASE leaves alone: the old value is not needed where the new one is computed, and the initial one is nobody else's.
// CHECK-LABEL: func.func @in_place(
// CHECK-NEXT:  %start = graph.relu %init : tensor<4x4xf32>
// CHECK-NEXT:  graph.loop %k to 5 carry (%h = %start : tensor<4x4xf32>)
// CHECK-NEXT:    %product = graph.matmul %h, %w : tensor<4x4xf32>
// CHECK-NEXT:    %next = graph.tanh %product : tensor<4x4xf32>
// CHECK-NEXT:    graph.yield %next
func.func @in_place(%init: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %start = graph.relu %init : tensor<4x4xf32>
  %last = graph.loop %k to 5 carry (%h = %start : tensor<4x4xf32>) -> (tensor<4x4xf32>) {
    %product = graph.matmul %h, %w : tensor<4x4xf32>
    %next = graph.tanh %product : tensor<4x4xf32>
    graph.yield %next
  }
  func.return %last : tensor<4x4xf32>
}
