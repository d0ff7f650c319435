// mlir-opt of LLVM 22: --affine-loop-invariant-code-motion
module {
  func.func @keep_first(%arg0: memref<?xi32>, %arg1: memref<1xi32>, %arg2: i32, %arg3: i32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    affine.store %arg2, %arg1[0] : memref<1xi32>
    affine.store %arg3, %arg1[0] : memref<1xi32>
    affine.for %arg4 = 0 to %dim {
    }
    return
  }
}
