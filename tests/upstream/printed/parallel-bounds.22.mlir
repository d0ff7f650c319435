#loc2 = loc("parallel-bounds.mlir":1:17)
#loc3 = loc("parallel-bounds.mlir":1:40)
#loc5 = loc("parallel-bounds.mlir":2:14)
module {
  func.func @main(%arg0: memref<12x12xf32> loc("parallel-bounds.mlir":1:17), %arg1: memref<12x12xf32> loc("parallel-bounds.mlir":1:40)) {
    affine.for %arg2 loc("parallel-bounds.mlir":2:14) = 0 to 12 step 5 {
      affine.parallel (%arg3, %arg4) = (max(%arg2 - 1, 0), %arg2) to (min(%arg2 + 4, 12), min(%arg2 * 2 + 1, %arg2 + 5, 12)) step (1, 2) {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<12x12xf32> loc(#loc7)
        affine.store %0, %arg1[%arg3, %arg4] : memref<12x12xf32> loc(#loc8)
      } loc(#loc6)
    } loc(#loc4)
    return loc(#loc9)
  } loc(#loc1)
} loc(#loc)
#loc = loc("parallel-bounds.mlir":0:0)
#loc1 = loc("parallel-bounds.mlir":1:1)
#loc4 = loc("parallel-bounds.mlir":2:3)
#loc6 = loc("parallel-bounds.mlir":3:5)
#loc7 = loc("parallel-bounds.mlir":4:12)
#loc8 = loc("parallel-bounds.mlir":5:7)
#loc9 = loc("parallel-bounds.mlir":8:3)

