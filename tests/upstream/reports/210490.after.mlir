// mlir-opt of LLVM 22: --affine-loop-fusion
module {
  func.func @scale_then_take(%arg0: memref<6xf32>, %arg1: memref<3xf32>, %arg2: f32) {
    %alloc = memref.alloc() : memref<1xf32>
    affine.for %arg3 = 0 to 6 {
      %0 = affine.load %arg0[%arg3] : memref<6xf32>
      %1 = arith.mulf %0, %arg2 : f32
      affine.store %1, %arg0[%arg3] : memref<6xf32>
    }
    affine.for %arg3 = 0 to 3 {
      %0 = affine.load %arg0[%arg3] : memref<6xf32>
      %1 = arith.mulf %0, %arg2 : f32
      affine.store %1, %alloc[0] : memref<1xf32>
      %2 = affine.load %alloc[0] : memref<1xf32>
      affine.store %2, %arg1[%arg3] : memref<3xf32>
    }
    return
  }
}
