// RUN: opt-tool --pass bufferize --split-input-file %s | filecheck %s

// CASE fires: a loop carries a tensor, whose buffer each iteration changes in place.
// CHECK-LABEL: func.func @loop(%A: memref<8x4xf32>, %x: f32) -> memref<8x4xf32>
// CHECK:         %[[R:.*]] = memref.alloc() : memref<8x4xf32>
// CHECK-NEXT:    memref.copy %A, %[[R]] : memref<8x4xf32> to memref<8x4xf32>
// CHECK-NEXT:    scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT:      loop.store %x, %[[R]][%[[I]], 0] : memref<8x4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %[[R]] : memref<8x4xf32>
func.func @loop(%A: tensor<8x4xf32>, %x: f32) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  %r = scf.for %i = %c0 to %c8 step %c2 iter_args(%t = %A) -> (tensor<8x4xf32>) {
    %n = tensor.insert %x into %t[%i, %c0] : tensor<8x4xf32>
    scf.yield %n : tensor<8x4xf32>
  }
  return %r : tensor<8x4xf32>
}

// -----

// CASE leaves alone: a function that te has a form for.
// CHECK-LABEL: func.func @compute(%A: tensor<4xf32>) -> tensor<4xf32>
func.func @compute(%A: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%A, %A : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// CASE fires: where elements of an allocation lie is left out.
// CHECK-LABEL: func.func @transposed(
// CHECK:         memref.alloc() : memref<6x9xf32>
// CHECK-NEXT:    memref.store %x, %{{.*}}[%i, %j] : memref<6x9xf32>
func.func @transposed(%x: f32, %i: index, %j: index) {
  %t = memref.alloc() : memref<6x9xf32, affine_map<(d0, d1) -> (d1, d0)>>
  memref.store %x, %t[%i, %j] : memref<6x9xf32, affine_map<(d0, d1) -> (d1, d0)>>
  return
}

// -----

// CASE leaves alone: a layout that puts two elements at one address.
// CHECK-LABEL: func.func @shared(
// CHECK:         memref.alloc() : memref<6xf32, affine_map<(d0) -> ((d0 floordiv 2))>>
func.func @shared(%x: f32, %i: index) {
  %t = memref.alloc() : memref<6xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  memref.store %x, %t[%i] : memref<6xf32, affine_map<(d0) -> (d0 floordiv 2)>>
  return
}
