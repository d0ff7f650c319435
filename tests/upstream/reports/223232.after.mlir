// mlir-opt of LLVM 22: --scf-for-loop-peeling=peel-front=true
#map = affine_map<()[s0, s1] -> (s0 + s1)>
module {
  func.func @collect(%arg0: memref<?xi32>, %arg1: memref<?xi32>, %arg2: memref<1xi32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1_i32 = arith.constant 1 : i32
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    %dim_0 = memref.dim %arg1, %c0 : memref<?xi32>
    %0 = affine.apply #map()[%dim, %c4]
    scf.for %arg3 = %dim to %0 step %c4 {
      %1 = memref.load %arg2[%c0] : memref<1xi32>
      %2 = arith.addi %1, %c1_i32 : i32
      memref.store %2, %arg2[%c0] : memref<1xi32>
    }
    scf.for %arg3 = %0 to %dim_0 step %c4 {
      %1 = memref.load %arg2[%c0] : memref<1xi32>
      %2 = arith.addi %1, %c1_i32 : i32
      memref.store %2, %arg2[%c0] : memref<1xi32>
    }
    return
  }
}
