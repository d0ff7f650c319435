// A softmax of generic operations.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<6x33xf32>, %out: memref<6x33xf32> {tw.output})
// CHECK: loop.for %i0 = 0 to 6
// CHECK: loop.for %i1 = 0 to 33
// CHECK: loop.if (%i1 < 1)
// CHECK: loop.store %cst, %0[%i0] : memref<6xf32>
// CHECK: loop.store %5, %0[%i0] : memref<6xf32>
// CHECK: loop.for %i0_1 = 0 to 6
// CHECK: loop.for %i1_1 = 0 to 33
// CHECK: loop.store %9, %1[%i0_1, %i1_1] : memref<6x33xf32>
// CHECK: loop.for %i0_2 = 0 to 6
// CHECK: loop.for %i1_2 = 0 to 33
// CHECK: loop.if (%i1_2 < 1)
// CHECK: loop.store %10, %2[%i0_2] : memref<6xf32>
// CHECK: loop.store %13, %2[%i0_2] : memref<6xf32>
// CHECK: loop.for %i0_3 = 0 to 6
// CHECK: loop.for %i1_3 = 0 to 33
// CHECK: loop.store %16, %out[%i0_3, %i1_3] : memref<6x33xf32>

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<6x33xf32>) -> tensor<6x33xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<6xf32>
    %1 = tensor.empty() : tensor<6x33xf32>
    %2 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<6x33xf32>) outs(%2 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %8 = arith.maxnumf %in, %out : f32
      linalg.yield %8 : f32
    } -> tensor<6xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %3 : tensor<6x33xf32>, tensor<6xf32>) outs(%1 : tensor<6x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %8 = arith.subf %in, %in_1 : f32
      %9 = math.exp %8 : f32
      linalg.yield %9 : f32
    } -> tensor<6x33xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%0 : tensor<6xf32>) -> tensor<6xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%4 : tensor<6x33xf32>) outs(%5 : tensor<6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %8 = arith.addf %in, %out : f32
      linalg.yield %8 : f32
    } -> tensor<6xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %6 : tensor<6x33xf32>, tensor<6xf32>) outs(%1 : tensor<6x33xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %8 = arith.divf %in, %in_1 : f32
      linalg.yield %8 : f32
    } -> tensor<6x33xf32>
    return %7 : tensor<6x33xf32>
  }
}
