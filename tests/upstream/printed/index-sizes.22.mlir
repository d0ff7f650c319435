#loc2 = loc("index-sizes.mlir":1:17)
#loc3 = loc("index-sizes.mlir":1:36)
#loc4 = loc("index-sizes.mlir":1:47)
#loc6 = loc("index-sizes.mlir":2:14)
module {
  func.func @main(%arg0: memref<?xf32> loc("index-sizes.mlir":1:17), %arg1: index loc("index-sizes.mlir":1:36), %arg2: memref<?xf32> loc("index-sizes.mlir":1:47)) {
    affine.for %arg3 loc("index-sizes.mlir":2:14) = 0 to %arg1 {
      %0 = affine.load %arg0[%arg3] : memref<?xf32> loc(#loc7)
      affine.store %0, %arg2[%arg1 - %arg3 - 1] : memref<?xf32> loc(#loc8)
    } loc(#loc5)
    return loc(#loc9)
  } loc(#loc1)
} loc(#loc)
#loc = loc("index-sizes.mlir":0:0)
#loc1 = loc("index-sizes.mlir":1:1)
#loc5 = loc("index-sizes.mlir":2:3)
#loc7 = loc("index-sizes.mlir":3:10)
#loc8 = loc("index-sizes.mlir":4:5)
#loc9 = loc("index-sizes.mlir":6:3)

