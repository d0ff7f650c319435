// Bounds of several results, steps, and affine.min, affine.max and affine.apply.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<50xf32>, %arg1: memref<50xf32>)
// CHECK: loop.for %arg2 = 0 to 4
// CHECK: loop.for %arg3 = max(%arg2 * 16, 5) to min(%arg2 * 16 + 16, 47)
// CHECK: loop.store %1, %arg1[%arg3] : memref<50xf32>
// CHECK: loop.for %arg2_1 = 0 to 8
// CHECK: loop.store %10, %arg1[((%arg2_1 * 7) floordiv 2)] : memref<50xf32>

#map = affine_map<(d0) -> (d0, 5)>
#map1 = affine_map<(d0) -> (d0 + 16, 47)>
#map2 = affine_map<(d0) -> (d0 + 3, 40)>
#map3 = affine_map<(d0) -> (d0, 10)>
#map4 = affine_map<(d0) -> (d0 floordiv 2)>
module {
  func.func @main(%arg0: memref<50xf32>, %arg1: memref<50xf32>) {
    %cst = arith.constant 2.000000e+00 : f32
    affine.for %arg2 = 0 to 50 step 16 {
      affine.for %arg3 = max #map(%arg2) to min #map1(%arg2) {
        %0 = affine.load %arg0[%arg3] : memref<50xf32>
        %1 = arith.mulf %0, %cst : f32
        affine.store %1, %arg1[%arg3] : memref<50xf32>
      }
    }
    affine.for %arg2 = 0 to 50 step 7 {
      %0 = affine.min #map2(%arg2)
      %1 = affine.max #map3(%arg2)
      %2 = affine.apply #map4(%arg2)
      %3 = memref.load %arg0[%0] : memref<50xf32>
      %4 = memref.load %arg0[%1] : memref<50xf32>
      %5 = arith.subf %3, %4 : f32
      memref.store %5, %arg1[%2] : memref<50xf32>
    }
    return
  }
}
