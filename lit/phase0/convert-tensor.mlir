// RUN: opt-tool --pass convert-tensor --split-input-file %s | filecheck %s

// CASE fires: a fill with the identity is what the reduction starts from.
// CHECK-LABEL: func.func @matmul(
// CHECK-NEXT:    %[[C:.*]] = te.compute "matmul" [%[[I:.*]] to 4, %[[J:.*]] to 6] reduce [%[[K:.*]] to 8] -> tensor<4x6xf32> {
// CHECK-NEXT:      %[[A:.*]] = te.read %A[%[[I]], %[[K]]] : tensor<4x8xf32>
// CHECK-NEXT:      %[[B:.*]] = te.read %B[%[[K]], %[[J]]] : tensor<8x6xf32>
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[A]], %[[B]] : f32
// CHECK-NEXT:      te.reduce <add> %[[P]] : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %[[C]] : tensor<4x6xf32>
func.func @matmul(%A: tensor<4x8xf32>, %B: tensor<8x6xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x6xf32>) -> tensor<4x6xf32>
  %c = linalg.matmul ins(%A, %B : tensor<4x8xf32>, tensor<8x6xf32>) outs(%f : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %c : tensor<4x6xf32>
}

// -----

// CASE fires: any other output is read; sizes that have to be equal have one name.
// CHECK-LABEL: func.func @added(
// CHECK-SAME:    %A: tensor<?x8xf32, #graph.dims<arg0_dim0, _>>, %x: tensor<8xf32>, %y: tensor<?xf32, #graph.dims<arg0_dim0>>)
// CHECK:         te.reduce <add> %{{.*}} init %[[Y:.*]] : f32
func.func @added(%A: tensor<?x8xf32>, %x: tensor<8xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %c = linalg.matvec ins(%A, %x : tensor<?x8xf32>, tensor<8xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
  return %c : tensor<?xf32>
}

// -----

// CASE leaves alone: a function on memrefs.
// CHECK-LABEL: func.func @memrefs(
// CHECK-NEXT:    memref.copy
func.func @memrefs(%A: memref<4xf32>, %B: memref<4xf32>) {
  memref.copy %A, %B : memref<4xf32> to memref<4xf32>
  return
}
