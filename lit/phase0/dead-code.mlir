// RUN: opt-tool --pass dead-code %s | filecheck %s

// CASE fires: results that nobody uses, a weight and a group among them.
// CHECK-LABEL: func.func @unused(
func.func @unused(%x: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK-NEXT: %y = graph.relu %x
  // CHECK-NEXT: func.return %y
  %y = graph.relu %x : tensor<8xf32>
  %a = graph.exp %x : tensor<8xf32>
  %b = graph.add %a, %y : tensor<8xf32>
  %w = graph.constant resource<"w"> : tensor<99xf32>
  %g = graph.fused "g" (%c = %b : tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = graph.relu %c : tensor<8xf32>
    graph.yield %0
  }
  func.return %y : tensor<8xf32>
}

// A private function goes when nothing calls it, and then what only it called; calls stay, and public functions.
// CHECK-LABEL: func.func @public(
// CHECK: func.call @used
// CHECK: func.func private @used(
// CHECK-NOT: func.func private
func.func @public(%x: tensor<8xf32>) {
  %0 = func.call @used(%x) : (tensor<8xf32>) -> tensor<8xf32>
  func.return
}
func.func private @used(%x: tensor<8xf32>) -> tensor<8xf32> {
  func.return %x : tensor<8xf32>
}
func.func private @first(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @second(%x) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
func.func private @second(%x: tensor<8xf32>) -> tensor<8xf32> {
  func.return %x : tensor<8xf32>
}

// CASE leaves alone: what is stored stays, and so does a public function that nothing calls.
// CHECK-LABEL: func.func @stores(
// CHECK-NEXT:    loop.store %x, %A[0]
func.func @stores(%x: f32, %A: memref<8xf32>) {
  loop.store %x, %A[0] : memref<8xf32>
  func.return
}
