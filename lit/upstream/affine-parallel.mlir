// Parallel loops, one of which reduces.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<6x20xf32>, %arg1: memref<6xf32>)
// CHECK: loop.for %i = 0 to 6 kind parallel
// CHECK: %1 = loop.for %i_1 = 0 to 10 iter_args(%2 = %0) -> (f32)
// CHECK: loop.store %1, %arg1[%i] : memref<6xf32>

module {
  func.func @main(%arg0: memref<6x20xf32>, %arg1: memref<6xf32>) {
    affine.parallel (%arg2) = (0) to (6) {
      %0 = affine.parallel (%arg3) = (0) to (20) step (2) reduce ("maximumf") -> (f32) {
        %1 = affine.load %arg0[%arg2, %arg3] : memref<6x20xf32>
        affine.yield %1 : f32
      }
      affine.store %0, %arg1[%arg2] : memref<6xf32>
    }
    return
  }
}
