#loc2 = loc("negative-bounds.mlir":1:17)
#loc3 = loc("negative-bounds.mlir":1:37)
#loc5 = loc("negative-bounds.mlir":2:14)
#loc7 = loc("negative-bounds.mlir":3:16)
#map = affine_map<(d0) -> (d0 - 1)>
#map1 = affine_map<(d0) -> (d0 + 3)>
#set = affine_set<(d0) : (d0 + 6 >= 0, -d0 + 5 >= 0)>
module {
  func.func @main(%arg0: memref<12xf32> loc("negative-bounds.mlir":1:17), %arg1: memref<12xf32> loc("negative-bounds.mlir":1:37)) {
    affine.for %arg2 loc("negative-bounds.mlir":2:14) = -6 to 6 step 5 {
      affine.for %arg3 loc("negative-bounds.mlir":3:16) = #map(%arg2) to #map1(%arg2) {
        affine.if #set(%arg3) {
          %0 = affine.load %arg0[%arg3 + 6] : memref<12xf32> loc(#loc9)
          affine.store %0, %arg1[-%arg3 + 5] : memref<12xf32> loc(#loc10)
        } loc(#loc8)
      } loc(#loc6)
    } loc(#loc4)
    return loc(#loc11)
  } loc(#loc1)
} loc(#loc)
#loc = loc("negative-bounds.mlir":0:0)
#loc1 = loc("negative-bounds.mlir":1:1)
#loc4 = loc("negative-bounds.mlir":2:3)
#loc6 = loc("negative-bounds.mlir":3:5)
#loc8 = loc("negative-bounds.mlir":4:7)
#loc9 = loc("negative-bounds.mlir":5:14)
#loc10 = loc("negative-bounds.mlir":6:9)
#loc11 = loc("negative-bounds.mlir":10:3)

