// A generic product of int8 that sums in int32.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<8x16xi8>, %arg1: memref<16x12xi8>, %out: memref<8x12xi32> {tw.output})
// CHECK: loop.for %i0 = 0 to 8
// CHECK: loop.for %i1 = 0 to 12
// CHECK: loop.for %i2 = 0 to 16
// CHECK: loop.if (%i2 < 1)
// CHECK: loop.store %0, %out[%i0, %i1] : memref<8x12xi32>
// CHECK: loop.store %7, %out[%i0, %i1] : memref<8x12xi32>

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main(%arg0: tensor<8x16xi8>, %arg1: tensor<16x12xi8>) -> tensor<8x12xi32> {
    %c0_i32 = arith.constant 0 : i32
    %0 = tensor.empty() : tensor<8x12xi32>
    %1 = linalg.fill ins(%c0_i32 : i32) outs(%0 : tensor<8x12xi32>) -> tensor<8x12xi32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<8x16xi8>, tensor<16x12xi8>) outs(%1 : tensor<8x12xi32>) {
    ^bb0(%in: i8, %in_0: i8, %out: i32):
      %3 = arith.extsi %in : i8 to i32
      %4 = arith.extsi %in_0 : i8 to i32
      %5 = arith.muli %3, %4 : i32
      %6 = arith.addi %out, %5 overflow<nsw> : i32
      linalg.yield %6 : i32
    } -> tensor<8x12xi32>
    return %2 : tensor<8x12xi32>
  }
}
