// Calls with scalar arguments and results are replaced by what they call.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<12xf32>, %arg1: memref<12xf32>, %arg2: memref<f32>, %out: memref<f32> {tw.output})
// CHECK: %0 = loop.for %arg3 = 0 to 12 iter_args(%arg4 = %cst) -> (f32)
// CHECK: loop.store %2, %alloc[%arg3] : memref<12xf32>
// CHECK: %4 = loop.for %arg3_1 = 0 to 12 iter_args(%arg4_1 = %cst_1) -> (f32)
// CHECK: %6 = arith.mulf %5, %0 : f32
// CHECK: loop.store %4, %out[] : memref<f32>

module {
  func.func private @scale(%arg0: memref<12xf32>, %arg1: memref<12xf32>, %arg2: f32) -> f32 {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = affine.for %arg3 = 0 to 12 iter_args(%arg4 = %cst) -> (f32) {
      %1 = affine.load %arg0[%arg3] : memref<12xf32>
      %2 = arith.mulf %1, %arg2 : f32
      affine.store %2, %arg1[%arg3] : memref<12xf32>
      %3 = arith.addf %arg4, %2 : f32
      affine.yield %3 : f32
    }
    return %0 : f32
  }
  func.func @main(%arg0: memref<12xf32>, %arg1: memref<12xf32>, %arg2: f32) -> f32 {
    %alloc = memref.alloc() : memref<12xf32>
    %0 = call @scale(%arg0, %alloc, %arg2) : (memref<12xf32>, memref<12xf32>, f32) -> f32
    %1 = call @scale(%alloc, %arg1, %0) : (memref<12xf32>, memref<12xf32>, f32) -> f32
    memref.dealloc %alloc : memref<12xf32>
    return %1 : f32
  }
}
