// RUN: opt-tool --pass convert-func --split-input-file %s | filecheck %s

// CASE fires: numbers go through buffers of rank 0; sizes are bound.
// CHECK-LABEL: func.func @scalars(
// CHECK-SAME:    %A: memref<?xf32>, %s: memref<f32>, %p: memref<f32> {tw.output}) {
// CHECK-NEXT:    %{{.*}} = memref.load %s[] : memref<f32>
// CHECK-NEXT:    %[[N:.*]] = loop.dim %A, 0 : memref<?xf32>
// CHECK-NEXT:    loop.bind %A shape [%[[N]]] strides [1] : memref<?xf32>
// CHECK:         memref.store %{{.*}}, %p[] : memref<f32>
// CHECK-NEXT:    func.return
func.func @scalars(%A: memref<?xf32>, %s: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %a = memref.load %A[%c0] : memref<?xf32>
  %p = arith.mulf %a, %s : f32
  return %p : f32
}

// -----

// CASE fires: a returned buffer is the output; sizes that the product demands to be equal are one value.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME:    %A: memref<?x4xf32>, %B: memref<4x?xf32>, %C: memref<?x?xf32> {tw.output}) {
// CHECK-NEXT:    %[[M:.*]] = loop.dim %A, 0 : memref<?x4xf32>
// CHECK-NEXT:    %[[N:.*]] = loop.dim %B, 1 : memref<4x?xf32>
// CHECK-NEXT:    loop.bind %A shape [%[[M]], 4] strides [4, 1] : memref<?x4xf32>
// CHECK-NEXT:    loop.bind %B shape [4, %[[N]]] strides [%[[N]], 1] : memref<4x?xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.matmul ins(%A, %B : memref<?x4xf32>, memref<4x?xf32>) outs(%C : memref<?x?xf32>)
func.func @sizes(%A: memref<?x4xf32>, %B: memref<4x?xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %A, %c0 : memref<?x4xf32>
  %n = memref.dim %B, %c1 : memref<4x?xf32>
  %C = memref.alloc(%m, %n) : memref<?x?xf32>
  linalg.matmul ins(%A, %B : memref<?x4xf32>, memref<4x?xf32>) outs(%C : memref<?x?xf32>)
  return %C : memref<?x?xf32>
}

// -----

// CASE leaves alone: nothing is passed but memrefs of static sizes.
// CHECK-LABEL: func.func @static(%A: memref<4xf32>, %B: memref<4xf32>) {
// CHECK-NEXT:    memref.copy
func.func @static(%A: memref<4xf32>, %B: memref<4xf32>) {
  memref.copy %A, %B : memref<4xf32> to memref<4xf32>
  return
}
