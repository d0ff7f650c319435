// mlir-opt of LLVM 22: --affine-data-copy-generate=fast-mem-space=0
module {
  func.func @fill(%arg0: memref<4xf32>, %arg1: f32, %arg2: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_2 = arith.constant 0 : index
    %c1_3 = arith.constant 1 : index
    %c0_4 = arith.constant 0 : index
    %c1_5 = arith.constant 1 : index
    %c0_6 = arith.constant 0 : index
    %c0_7 = arith.constant 0 : index
    %c0_8 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<1xf32>
    affine.for %arg3 = 0 to 4 {
      affine.store %arg1, %arg0[0] : memref<4xf32>
      memref.store %arg1, %arg0[%c0_8] : memref<4xf32>
    }
    %0 = affine.load %alloc[0] : memref<1xf32>
    affine.store %0, %arg0[0] : memref<4xf32>
    memref.dealloc %alloc : memref<1xf32>
    %alloc_9 = memref.alloc() : memref<1xf32>
    %1 = affine.load %arg0[0] : memref<4xf32>
    affine.store %1, %alloc_9[0] : memref<1xf32>
    %alloc_10 = memref.alloc() : memref<1xf32>
    %2 = affine.load %alloc_9[0] : memref<1xf32>
    affine.store %2, %alloc_10[0] : memref<1xf32>
    %3 = affine.load %alloc_10[0] : memref<1xf32>
    affine.store %3, %arg2[0] : memref<1xf32>
    memref.dealloc %alloc_10 : memref<1xf32>
    memref.dealloc %alloc_9 : memref<1xf32>
    return
  }
}
