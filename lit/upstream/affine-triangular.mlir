// A loop whose bound is the variable of another one.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<12x12xf32>, %arg1: memref<12xf32>, %arg2: memref<12xf32>)
// CHECK: loop.for %arg3 = 0 to 12
// CHECK: loop.for %arg4 = 0 to %arg3 + 1
// CHECK: loop.store %4, %arg2[%arg3] : memref<12xf32>

#map = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @main(%arg0: memref<12x12xf32>, %arg1: memref<12xf32>, %arg2: memref<12xf32>) {
    affine.for %arg3 = 0 to 12 {
      affine.for %arg4 = 0 to #map(%arg3) {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<12x12xf32>
        %1 = affine.load %arg1[%arg4] : memref<12xf32>
        %2 = arith.mulf %0, %1 : f32
        %3 = affine.load %arg2[%arg3] : memref<12xf32>
        %4 = arith.addf %3, %2 : f32
        affine.store %4, %arg2[%arg3] : memref<12xf32>
      }
    }
    return
  }
}
