// Loops in dialects of upstream MLIR, which are read again.
// RUN: opt-tool --emit mlir-upstream %s | filecheck %s
// RUN: opt-tool --emit mlir-upstream %s | opt-tool --pass convert-affine,convert-memref | filecheck %s --check-prefix=AGAIN

// CHECK-LABEL: func.func @square(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
// CHECK:         affine.parallel (%i) = (0) to (4) {
// CHECK-NEXT:      affine.for %j = 0 to 8 {
// CHECK-NEXT:        %[[A:.*]] = affine.load %A[%i, %j] : memref<4x8xf32>
// CHECK-NEXT:        %[[P:.*]] = arith.mulf %[[A]], %[[A]] : f32
// CHECK-NEXT:        affine.store %[[P]], %B[%i, %j] : memref<4x8xf32>

// AGAIN-LABEL: func.func @square(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
// AGAIN-NEXT:    loop.for %[[I:.*]] = 0 to 4 kind parallel {
// AGAIN-NEXT:      loop.for %[[J:.*]] = 0 to 8 {
// AGAIN-NEXT:        %[[A:.*]] = loop.load %A[%[[I]], %[[J]]] : memref<4x8xf32>
// AGAIN-NEXT:        %[[P:.*]] = arith.mulf %[[A]], %[[A]] : f32
// AGAIN-NEXT:        loop.store %[[P]], %B[%[[I]], %[[J]]] : memref<4x8xf32>
func.func @square(%A: memref<4x8xf32>, %B: memref<4x8xf32>) {
  loop.for %i = 0 to 4 kind parallel {
    loop.for %j = 0 to 8 {
      %a = loop.load %A[%i, %j] : memref<4x8xf32>
      %p = arith.mulf %a, %a : f32
      loop.store %p, %B[%i, %j] : memref<4x8xf32>
    }
  }
  func.return
}
