// mlir-opt of LLVM 22: --pass-pipeline=builtin.module(func.func(affine-loop-unroll-jam{unroll-jam-factor=2}))
#map = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @diagonal(%arg0: memref<5x5xf32>) {
    affine.for %arg1 = 1 to 5 step 2 {
      affine.for %arg2 = 0 to 4 {
        %0 = affine.load %arg0[%arg1 - 1, %arg2 + 1] : memref<5x5xf32>
        affine.store %0, %arg0[%arg1, %arg2] : memref<5x5xf32>
        %1 = affine.apply #map(%arg1)
        %2 = affine.load %arg0[%1 - 1, %arg2 + 1] : memref<5x5xf32>
        affine.store %2, %arg0[%1, %arg2] : memref<5x5xf32>
      }
    }
    return
  }
}
