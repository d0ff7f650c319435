// RUN: opt-tool --pass pack-weights %s | filecheck %s

module attributes {tw.target = #target.cpu<features ["avx512f", "avx2", "ssse3", "fma"], vector_bits 512, caches [49152, 2097152, 0], threads 1>} {

// CASE fires: the columns of a constant stand in blocks of a vector.
// CHECK-LABEL: func.func @product(
// CHECK: %[[W:.*]] = graph.constant {{.*}} : tensor<2x3x16xf32>
// CHECK-NEXT: graph.packed_matmul %a, %[[W]] : tensor<4x32xf32>
func.func @product(%a: tensor<4x3xf32>) -> tensor<4x32xf32> {
  %w = graph.constant dense<1.0> : tensor<3x32xf32>
  %y = graph.matmul %a, %w : tensor<4x32xf32>
  func.return %y : tensor<4x32xf32>
}

// CASE fires: all rows of a batch are multiplied by the same weights, here of two vectors' columns.
// CHECK-LABEL: func.func @batch(
// CHECK: graph.packed_matmul {{.*}} : tensor<2x4x32xf64>
func.func @batch(%a: tensor<2x4x3xf64>) -> tensor<2x4x32xf64> {
  %w = graph.constant dense<1.0> : tensor<32x3xf64>
  %y = graph.matmul %a, %w transpose_b : tensor<2x4x32xf64>
  func.return %y : tensor<2x4x32xf64>
}

// CASE fires: a layer, with its bias added afterwards.
// CHECK-LABEL: func.func @layer(
// CHECK: %[[W:.*]] = graph.constant {{.*}} : tensor<1x2x16xf32>
// CHECK-NEXT: %[[Y:.*]] = graph.packed_matmul %x, %[[W]] : tensor<8x16xf32>
// CHECK-NEXT: graph.add %[[Y]], %b : tensor<8x16xf32>
func.func @layer(%x: tensor<8x2xf32>, %b: tensor<16xf32>) -> tensor<8x16xf32> {
  %w = graph.constant dense<1.0> : tensor<16x2xf32>
  %y = graph.dense %x, %w, %b : tensor<8x16xf32>
  func.return %y : tensor<8x16xf32>
}

// CASE fires: bytes less a zero point, and weights of them, are multiplied as words of four terms.
// CHECK-LABEL: func.func @bytes(
// CHECK: %[[W:.*]] = graph.constant {{.*}} : tensor<2x2x16xi32>
// CHECK: %[[A:.*]] = graph.words %a : tensor<4x2xi32>
// CHECK-NEXT: %[[P:.*]] = graph.packed_matmul %[[A]], %[[W]] out_dtype i32 words "u8s8_fits" : tensor<4x32xi32>
// CHECK-NEXT: %[[S:.*]] = graph.constant {{.*}} : tensor<32xi32>
// CHECK-NEXT: %[[Z:.*]] = graph.mul %z, %[[S]] : tensor<32xi32>
// CHECK-NEXT: graph.sub %[[P]], %[[Z]] : tensor<4x32xi32>
func.func @bytes(%a: tensor<4x8xui8>, %z: tensor<i32>) -> tensor<4x32xi32> {
  %w = graph.constant dense<3> : tensor<8x32xi32>
  %c = graph.cast %a to i32 : tensor<4x8xi32>
  %d = graph.sub %c, %z : tensor<4x8xi32>
  %y = graph.matmul %d, %w : tensor<4x32xi32>
  func.return %y : tensor<4x32xi32>
}

// CASE fires: any number of rows.
// CHECK-LABEL: func.func @symbolic(
// CHECK: graph.packed_matmul {{.*}} : tensor<?x32xf32, #graph.dims<m, _>>
func.func @symbolic(%a: tensor<?x3xf32, #graph.dims<m, _>>) -> tensor<?x32xf32, #graph.dims<m, _>> {
  %w = graph.constant dense<1.0> : tensor<3x32xf32>
  %y = graph.matmul %a, %w : tensor<?x32xf32, #graph.dims<m, _>>
  func.return %y : tensor<?x32xf32, #graph.dims<m, _>>
}

// CASE fires: narrow weights of a product that sums in float32 stay narrow.
// CHECK-LABEL: func.func @narrow(
// CHECK: %[[W:.*]] = graph.constant {{.*}} : tensor<2x3x16xf16>
// CHECK-NEXT: graph.packed_matmul %a, %[[W]] out_dtype f32 : tensor<4x32xf32>
func.func @narrow(%a: tensor<4x3xf32>) -> tensor<4x32xf32> {
  %w = graph.constant dense<1.0> : tensor<3x32xf16>
  %y = graph.matmul %a, %w out_dtype f32 : tensor<4x32xf32>
  func.return %y : tensor<4x32xf32>
}

// CASE fires: recurrent weights, the rows of each gate in blocks; the last one of twenty units is filled up.
// CHECK-LABEL: func.func @recurrent(
// CHECK: %[[R:.*]] = graph.constant {{.*}} : tensor<2x20x16xf32>
// CHECK: %[[S:.*]] = graph.constant {{.*}} : tensor<6x20x16xf32>
// CHECK: graph.rnn %g, %[[R]], %h : tensor<5x2x20xf32>
// CHECK: graph.gru %g2, %[[S]], %b, %h : tensor<5x2x20xf32>
func.func @recurrent(%g: tensor<5x2x20xf32>, %h: tensor<2x20xf32>, %g2: tensor<5x2x60xf32>, %b: tensor<20xf32>) {
  %r = graph.constant dense<1.0> : tensor<20x20xf32>
  %s = graph.constant dense<1.0> : tensor<60x20xf32>
  %y, %last = graph.rnn %g, %r, %h : tensor<5x2x20xf32>, tensor<2x20xf32>
  %z, %last2 = graph.gru %g2, %s, %b, %h : tensor<5x2x20xf32>, tensor<2x20xf32>
  func.return
}

// CASE leaves alone: recurrent weights that are not known, and units that fill no half of a vector.
// CHECK-LABEL: func.func @other_layers(
// CHECK: graph.rnn %g, %r, %h
// CHECK: graph.rnn %f, %s, %e
func.func @other_layers(%g: tensor<5x2x20xf32>, %r: tensor<20x20xf32>, %h: tensor<2x20xf32>, %f: tensor<5x2x3xf32>, %e: tensor<2x3xf32>) {
  %s = graph.constant dense<1.0> : tensor<3x3xf32>
  %y, %last = graph.rnn %g, %r, %h : tensor<5x2x20xf32>, tensor<2x20xf32>
  %z, %last2 = graph.rnn %f, %s, %e : tensor<5x2x3xf32>, tensor<2x3xf32>
  func.return
}

// CASE leaves alone: one row, many, and columns that are no blocks.
// CHECK-LABEL: func.func @other_sizes(
// CHECK-NOT: graph.packed_matmul
// CHECK: func.return
func.func @other_sizes(%a: tensor<1x3xf32>, %b: tensor<1000x3xf32>, %d: tensor<4x3xf32>) {
  %w = graph.constant dense<1.0> : tensor<3x32xf32>
  %v = graph.constant dense<1.0> : tensor<3x24xf32>
  %0 = graph.matmul %a, %w : tensor<1x32xf32>
  %1 = graph.matmul %b, %w : tensor<1000x32xf32>
  %2 = graph.matmul %d, %v : tensor<4x24xf32>
  func.return
}

// CASE leaves alone: weights that are not known, one matrix for each of a batch, a left operand that is transposed, and
// other element types.
// CHECK-LABEL: func.func @other_operands(
// CHECK-NOT: graph.packed_matmul
// CHECK: func.return
func.func @other_operands(%a: tensor<4x3xf32>, %w: tensor<3x32xf32>, %b: tensor<2x4x3xf32>, %t: tensor<3x4xf32>, %h: tensor<4x3xf16>) {
  %v = graph.constant dense<1.0> : tensor<2x3x32xf32>
  %u = graph.constant dense<1.0> : tensor<3x32xf32>
  %s = graph.constant dense<1.0> : tensor<3x32xf16>
  %0 = graph.matmul %a, %w : tensor<4x32xf32>
  %1 = graph.matmul %b, %v : tensor<2x4x32xf32>
  %2 = graph.matmul %t, %u transpose_a : tensor<4x32xf32>
  %3 = graph.matmul %h, %s : tensor<4x32xf16>
  func.return
}

}
