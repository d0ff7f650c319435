// A generic operation with two outputs, a broadcast operand, a scalar and the number of a loop.
// RUN: opt-tool --pass lower-blocks --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<7x10xf32>, %arg1: memref<10xf32>, %arg2: memref<7x10xf32>, %arg3: memref<7x10xf32>)
// CHECK: loop.for %i0 = 0 to 7
// CHECK: loop.for %i1 = 0 to 10
// CHECK: loop.store %3, %arg2[%i0, %i1] : memref<7x10xf32>
// CHECK: loop.store %8, %arg3[%i0, %i1] : memref<7x10xf32>

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> ()>
module {
  func.func @main(%arg0: memref<7x10xf32>, %arg1: memref<10xf32>, %arg2: memref<7x10xf32>, %arg3: memref<7x10xf32>) {
    %cst = arith.constant 5.000000e-01 : f32
    linalg.generic {indexing_maps = [#map, #map1, #map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %arg1, %cst : memref<7x10xf32>, memref<10xf32>, f32) outs(%arg2, %arg3 : memref<7x10xf32>, memref<7x10xf32>) {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32, %out_2: f32):
      %cst_3 = arith.constant 0.000000e+00 : f32
      %0 = arith.addf %in, %in_0 fastmath<contract> : f32
      %1 = arith.maximumf %0, %cst_3 : f32
      %2 = math.tanh %0 : f32
      %3 = arith.mulf %2, %in_1 : f32
      %4 = linalg.index 1 : index
      %5 = arith.index_cast %4 : index to i32
      %6 = arith.sitofp %5 : i32 to f32
      %7 = arith.addf %3, %6 : f32
      linalg.yield %1, %7 : f32, f32
    }
    return
  }
}
