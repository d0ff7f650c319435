// mlir-opt of LLVM 22: --affine-loop-coalescing --canonicalize
module {
  func.func @grow(%arg0: i64) -> i64 {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %0 = scf.for %arg1 = %c0 to %c9 step %c1 iter_args(%arg2 = %arg0) -> (i64) {
      %1 = arith.addi %arg2, %arg2 : i64
      scf.yield %1 : i64
    }
    return %0 : i64
  }
}
