// mlir-opt of LLVM 22: --linalg-specialize-generic-ops
module {
  func.func @parity(%arg0: memref<2x2xi1>, %arg1: memref<2x2xi1>, %arg2: memref<2x2xi1>) {
    linalg.matmul ins(%arg0, %arg1 : memref<2x2xi1>, memref<2x2xi1>) outs(%arg2 : memref<2x2xi1>)
    return
  }
}
