// RUN: opt-tool --pass fuse --split-input-file %s | filecheck %s
// RUN: opt-tool --pass fuse --split-input-file --remarks=missed %s -o /dev/null 2>&1 | filecheck %s --check-prefix WHY

// The kinds of the literature on operator fusion, and what the rules make of each pair of neighbours.

// CASE fires: injective into injective: elementwise, broadcasting and index-moving operators join in any order.
// CHECK-LABEL: func.func @injective_into_injective(
// CHECK-NEXT:    graph.fused "add_transpose_mul_relu"
// CHECK:         func.return
func.func @injective_into_injective(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<8x4xf32> {
  %a = graph.add %x, %b : tensor<4x8xf32>
  %t = graph.transpose %a permutation [1, 0] : tensor<8x4xf32>
  %m = graph.mul %t, %t : tensor<8x4xf32>
  %r = graph.relu %m : tensor<8x4xf32>
  func.return %r : tensor<8x4xf32>
}

// -----

// CASE fires: elementwise and broadcasting operators into a reduction.
// CHECK-LABEL: func.func @broadcast_into_reduction(
// CHECK-NEXT:    graph.fused "add_mul_reduce_max"
func.func @broadcast_into_reduction(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4xf32> {
  %a = graph.add %x, %b : tensor<4x8xf32>
  %m = graph.mul %a, %x : tensor<4x8xf32>
  %s = graph.reduce_max %m axes [1] : tensor<4xf32>
  func.return %s : tensor<4xf32>
}

// -----

// CASE leaves alone: an index-moving operator does not join a reduction.
// CHECK-LABEL: func.func @injective_before_reduction(
// CHECK-NOT:     graph.fused
// WHY: graph.transpose is not fused with what reads it: graph.reduce_sum does not take in what a group of kind injective computes
func.func @injective_before_reduction(%x: tensor<4x8xf32>) -> tensor<8xf32> {
  %t = graph.transpose %x permutation [1, 0] : tensor<8x4xf32>
  %s = graph.reduce_sum %t axes [1] : tensor<8xf32>
  func.return %s : tensor<8xf32>
}

// -----

// CASE leaves alone: a reduction passes nothing on, neither to elementwise operators nor to another reduction.
// CHECK-LABEL: func.func @reduction_before_others(
// CHECK-NOT:     graph.fused
// WHY: graph.reduce_sum is not fused with what reads it: a group that holds reduction operators passes nothing on
// WHY: graph.reduce_max is not fused with what reads it: a group that holds reduction operators passes nothing on
func.func @reduction_before_others(%x: tensor<2x4x8xf32>) -> tensor<2xf32> {
  %s = graph.reduce_sum %x axes [2] : tensor<2x4xf32>
  %m = graph.reduce_max %s axes [1] : tensor<2xf32>
  %r = graph.relu %m : tensor<2xf32>
  func.return %r : tensor<2xf32>
}

// -----

// CASE fires: complex-out-fusable: a product takes in the elementwise work that reads its result.
// CHECK-LABEL: func.func @product_takes_epilogue(
// CHECK-NEXT:    graph.fused "matmul_add_relu"
func.func @product_takes_epilogue(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>, %b: tensor<6xf32>) -> tensor<4x6xf32> {
  %c = graph.matmul %x, %w : tensor<4x6xf32>
  %a = graph.add %c, %b : tensor<4x6xf32>
  %r = graph.relu %a : tensor<4x6xf32>
  func.return %r : tensor<4x6xf32>
}

// -----

// CASE leaves alone: complex-out-fusable takes in no index-moving operator behind it and no work in front of it.
// CHECK-LABEL: func.func @product_stays(
// CHECK-NOT:     graph.fused
// WHY: graph.exp is not fused with what reads it: graph.matmul does not take in what a group of kind elementwise computes
// WHY: graph.matmul is not fused with what reads it: graph.transpose does not take in what a group of kind out_elementwise computes
func.func @product_stays(%x: tensor<4x8xf32>, %w: tensor<8x6xf32>) -> tensor<6x4xf32> {
  %e = graph.exp %x : tensor<4x8xf32>
  %c = graph.matmul %e, %w : tensor<4x6xf32>
  %t = graph.transpose %c permutation [1, 0] : tensor<6x4xf32>
  func.return %t : tensor<6x4xf32>
}

// -----

// CASE leaves alone: an opaque operator joins nothing on either side.
// CHECK-LABEL: func.func @opaque(
// CHECK-NOT:     graph.fused
// WHY: graph.exp is not fused with what reads it: graph.softmax does not take in what a group of kind elementwise computes
// WHY: graph.softmax is not fused with what reads it: a group that holds opaque operators passes nothing on
func.func @opaque(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = graph.exp %x : tensor<4x8xf32>
  %s = graph.softmax %e axis 1 : tensor<4x8xf32>
  %n = graph.neg %s : tensor<4x8xf32>
  func.return %n : tensor<4x8xf32>
}

// -----

// CASE leaves alone: results that go separate ways have no operator that all of them flow through.
// CHECK-LABEL: func.func @separate_ways(
// CHECK-NOT:     graph.fused
// WHY: graph.exp is not fused with what reads it: its results go separate ways
func.func @separate_ways(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = graph.exp %x : tensor<8xf32>
  %n = graph.neg %e : tensor<8xf32>
  %a = graph.abs %e : tensor<8xf32>
  func.return %n, %a : tensor<8xf32>, tensor<8xf32>
}
