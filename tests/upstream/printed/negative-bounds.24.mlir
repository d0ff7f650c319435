#loc2 = loc("negative-bounds.mlir":1:17)
#loc3 = loc("negative-bounds.mlir":1:37)
#loc5 = loc("negative-bounds.mlir":2:14)
#loc7 = loc("negative-bounds.mlir":3:16)
#map = affine_map<(d0) -> (d0 + 6)>
#map1 = affine_map<(d0) -> (-d0 + 5)>
#map2 = affine_map<(d0) -> (d0 - 1)>
#map3 = affine_map<(d0) -> (d0 + 3)>
#map4 = affine_map<() -> (-6)>
#map5 = affine_map<() -> (6)>
#set = affine_set<(d0) : (d0 + 6 >= 0, -d0 + 5 >= 0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<12xf32>, memref<12xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<12xf32> loc("negative-bounds.mlir":1:17), %arg1: memref<12xf32> loc("negative-bounds.mlir":1:37)):
    "affine.for"() <{lowerBoundMap = #map4, operandSegmentSizes = array<i32: 0, 0, 0>, step = 5 : index, upperBoundMap = #map5}> ({
    ^bb0(%arg2: index loc("negative-bounds.mlir":2:14)):
      "affine.for"(%arg2, %arg2) <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 1, 1, 0>, step = 1 : index, upperBoundMap = #map3}> ({
      ^bb0(%arg3: index loc("negative-bounds.mlir":3:16)):
        "affine.if"(%arg3) <{condition = #set}> ({
          %0 = "affine.load"(%arg0, %arg3) <{map = #map}> : (memref<12xf32>, index) -> f32 loc(#loc9)
          "affine.store"(%0, %arg1, %arg3) <{map = #map1}> : (f32, memref<12xf32>, index) -> () loc(#loc10)
          "affine.yield"() : () -> () loc(#loc8)
        }, {
        }) : (index) -> () loc(#loc8)
        "affine.yield"() : () -> () loc(#loc6)
      }) : (index, index) -> () loc(#loc6)
      "affine.yield"() : () -> () loc(#loc4)
    }) : () -> () loc(#loc4)
    "func.return"() : () -> () loc(#loc11)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("negative-bounds.mlir":0:0)
#loc1 = loc("negative-bounds.mlir":1:1)
#loc4 = loc("negative-bounds.mlir":2:3)
#loc6 = loc("negative-bounds.mlir":3:5)
#loc8 = loc("negative-bounds.mlir":4:7)
#loc9 = loc("negative-bounds.mlir":5:14)
#loc10 = loc("negative-bounds.mlir":6:9)
#loc11 = loc("negative-bounds.mlir":10:3)

