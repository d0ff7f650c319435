// mlir-opt of LLVM 22: --linalg-specialize-generic-ops
module {
  func.func @negated_product(%arg0: memref<2x3xf32>, %arg1: memref<3x4xf32>, %arg2: memref<2x4xf32>) {
    linalg.matmul ins(%arg0, %arg1 : memref<2x3xf32>, memref<3x4xf32>) outs(%arg2 : memref<2x4xf32>)
    return
  }
}
