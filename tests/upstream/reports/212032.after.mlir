// mlir-opt of LLVM 22: --affine-loop-fusion
module {
  func.func @carry(%arg0: memref<3xf32>, %arg1: memref<3xf32>, %arg2: memref<3xf32>) {
    affine.for %arg3 = 1 to 3 {
      %0 = affine.load %arg0[1] : memref<3xf32>
      %1 = affine.load %arg1[%arg3] : memref<3xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %arg2[%arg3] : memref<3xf32>
      %3 = affine.load %arg2[%arg3] : memref<3xf32>
      affine.store %3, %arg0[%arg3] : memref<3xf32>
    }
    return
  }
}
