// RUN: opt-tool --pass convert-linalg --split-input-file %s | filecheck %s

// CASE fires: an operation adds to what its output holds.
// CHECK-LABEL: func.func @matvec(
// CHECK-NEXT:    loop.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      loop.for %[[K:.*]] = 0 to 8 {
// CHECK-NEXT:        loop.block "matvec" (%[[VI:.*]] = spatial(%[[I]]) in 4, %[[VK:.*]] = reduce(%[[K]]) in 8) {
// CHECK-NEXT:          %[[A:.*]] = loop.load %A[%[[VI]], %[[VK]]] : memref<4x8xf32>
// CHECK-NEXT:          %[[X:.*]] = loop.load %x[%[[VK]]] : memref<8xf32>
// CHECK-NEXT:          %[[Y:.*]] = loop.load %y[%[[VI]]] : memref<4xf32>
// CHECK-NEXT:          %[[P:.*]] = arith.mulf %[[A]], %[[X]] : f32
// CHECK-NEXT:          %[[S:.*]] = arith.addf %[[Y]], %[[P]] : f32
// CHECK-NEXT:          loop.store %[[S]], %y[%[[VI]]] : memref<4xf32>
func.func @matvec(%A: memref<4x8xf32>, %x: memref<8xf32>, %y: memref<4xf32>) {
  linalg.matvec ins(%A, %x : memref<4x8xf32>, memref<8xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

// CASE fires: a fill right before a reduction is its init.
// CHECK-LABEL: func.func @filled(
// CHECK-NEXT:    %[[ZERO:.*]] = arith.constant
// CHECK-NEXT:    loop.for
// CHECK-NEXT:      loop.block "dot"
// CHECK-NEXT:        loop.init {
// CHECK-NEXT:          loop.store %[[ZERO]], %r[] : memref<f32>
// CHECK-NOT:     "fill"
func.func @filled(%x: memref<8xf32>, %y: memref<8xf32>, %r: memref<f32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%r : memref<f32>)
  linalg.dot ins(%x, %y : memref<8xf32>, memref<8xf32>) outs(%r : memref<f32>)
  return
}

// -----

// CASE fires: a fill of what the reduction reads, too, stays a separate statement.
// CHECK-LABEL: func.func @read(
// CHECK:         loop.block "fill"
// CHECK:         loop.block "vecmat"
// CHECK-NOT:     loop.init
func.func @read(%A: memref<8x8xf32>, %x: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%x : memref<8xf32>)
  linalg.vecmat ins(%x, %A : memref<8xf32>, memref<8x8xf32>) outs(%x : memref<8xf32>)
  return
}

// -----

// CASE leaves alone: an operation on tensors.
// CHECK-LABEL: func.func @tensors(
// CHECK-NEXT:    linalg.exp ins(%A : tensor<4xf32>) outs(%B : tensor<4xf32>) -> tensor<4xf32>
func.func @tensors(%A: tensor<4xf32>, %B: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.exp ins(%A : tensor<4xf32>) outs(%B : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
