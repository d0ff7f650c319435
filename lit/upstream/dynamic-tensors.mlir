// Dynamic tensors: the result has the sizes of the operand.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %out: memref<?x?xf32> {tw.output})
// CHECK: loop.bind %arg0 shape [%arg0_dim0, %arg0_dim1] strides [%arg0_dim1, 1] : memref<?x?xf32>
// CHECK: loop.bind %arg1 shape [%arg0_dim1] strides [1] : memref<?xf32>
// CHECK: loop.bind %out shape [%arg0_dim0, %arg0_dim1] strides [%arg0_dim1, 1] : memref<?x?xf32>
// CHECK: loop.for %i0 = 0 to %arg0_dim0
// CHECK: loop.for %i1 = 0 to %arg0_dim1
// CHECK: loop.store %2, %out[%i0, %i1] : memref<?x?xf32>

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<?x?xf32>, %arg1: tensor<?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
    %0 = tensor.empty(%dim, %dim_0) : tensor<?x?xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1 : tensor<?x?xf32>, tensor<?xf32>) outs(%0 : tensor<?x?xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %2 = arith.mulf %in, %in_1 : f32
      linalg.yield %2 : f32
    } -> tensor<?x?xf32>
    return %1 : tensor<?x?xf32>
  }
}
