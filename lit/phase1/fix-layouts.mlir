// RUN: opt-tool --pass fix-layouts %s | filecheck %s
// RUN: opt-tool --pass fix-layouts,fix-layouts %s | filecheck %s

// CASE fires: sizes are asked for once, and say the strides.
// CHECK-LABEL: func.func @missing(%A: memref<?x4x?xf32>) {
// CHECK-NEXT:    %0 = loop.dim %A, 0 : memref<?x4x?xf32>
// CHECK-NEXT:    %n = loop.dim %A, 2 : memref<?x4x?xf32>
// CHECK-NEXT:    loop.bind %A shape [%0, 4, %n] strides [%n * 4, %n, 1] : memref<?x4x?xf32>
// CHECK-NEXT:    loop.for %i = 0 to %n {
func.func @missing(%A: memref<?x4x?xf32>) {
  %n = loop.dim %A, 2 : memref<?x4x?xf32>
  loop.for %i = 0 to %n { %a = loop.load %A[0, 0, %i] : memref<?x4x?xf32> }
  func.return
}

// CASE fires: a product of two sizes is computed once, at entry.
// CHECK-LABEL: func.func @product(%A: memref<?x?x?xf32>) {
// CHECK:         %[[P:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK-NEXT:    loop.bind %A shape [%0, %1, %2] strides [%[[P]], %2, 1] : memref<?x?x?xf32>
func.func @product(%A: memref<?x?x?xf32>) {
  func.return
}

// CASE leaves alone: an argument is bound already, the other one has a fixed shape.
// CHECK-LABEL: func.func @bound(%A: memref<?x4xf32>, %B: memref<2x4xf32>, %n: index) {
// CHECK-NEXT:    loop.bind %A shape [%n, 4] strides [8, 1] : memref<?x4xf32>
// CHECK-NEXT:    func.return
func.func @bound(%A: memref<?x4xf32>, %B: memref<2x4xf32>, %n: index) {
  loop.bind %A shape [%n, 4] strides [8, 1] : memref<?x4xf32>
  func.return
}
