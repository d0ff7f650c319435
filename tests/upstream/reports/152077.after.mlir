// mlir-opt of LLVM 22: --affine-loop-fusion
module {
  func.func @turn_and_scale(%arg0: memref<1x6x4x8xf32>, %arg1: memref<1x4x6x8xf32>, %arg2: memref<1x1x6x8xf32>) {
    %c0 = arith.constant 0 : index
    affine.for %arg3 = 0 to 1 {
      affine.for %arg4 = 0 to 4 {
        affine.for %arg5 = 0 to 6 {
          affine.for %arg6 = 0 to 8 {
            %0 = affine.load %arg0[%c0, %arg5, %arg4, %arg6] : memref<1x6x4x8xf32>
            affine.store %0, %arg1[%c0, %arg4, %arg5, %arg6] : memref<1x4x6x8xf32>
            %1 = affine.load %arg1[%arg3, %arg4, %arg5, %arg6] : memref<1x4x6x8xf32>
            %2 = affine.load %arg2[%arg3, 0, %arg5, %arg6] : memref<1x1x6x8xf32>
            %3 = arith.mulf %1, %2 : f32
            affine.store %3, %arg1[%arg3, %arg4, %arg5, %arg6] : memref<1x4x6x8xf32>
          }
        }
      }
    }
    return
  }
}
