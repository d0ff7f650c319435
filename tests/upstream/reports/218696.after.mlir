// mlir-opt of LLVM 22: --affine-loop-fusion
module {
  func.func @frame(%arg0: memref<3xf32>, %arg1: memref<5xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %alloc = memref.alloc() : memref<5xf32>
    %subview = memref.subview %alloc[1] [3] [1] : memref<5xf32> to memref<3xf32, strided<[1], offset: 1>>
    memref.copy %arg0, %subview : memref<3xf32> to memref<3xf32, strided<[1], offset: 1>>
    affine.for %arg2 = 0 to 5 {
      affine.store %cst, %alloc[%arg2] : memref<5xf32>
      %0 = affine.load %alloc[%arg2] : memref<5xf32>
      %1 = arith.addf %0, %cst_0 : f32
      affine.store %1, %arg1[%arg2] : memref<5xf32>
    }
    return
  }
}
