#loc2 = loc("index-sizes.mlir":1:17)
#loc3 = loc("index-sizes.mlir":1:36)
#loc4 = loc("index-sizes.mlir":1:47)
#loc6 = loc("index-sizes.mlir":2:14)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0 - d1 - 1)>
#map2 = affine_map<() -> (0)>
#map3 = affine_map<()[s0] -> (s0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32>, index, memref<?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?xf32> loc("index-sizes.mlir":1:17), %arg1: index loc("index-sizes.mlir":1:36), %arg2: memref<?xf32> loc("index-sizes.mlir":1:47)):
    "affine.for"(%arg1) <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 : index, upperBoundMap = #map3}> ({
    ^bb0(%arg3: index loc("index-sizes.mlir":2:14)):
      %0 = "affine.load"(%arg0, %arg3) <{map = #map}> : (memref<?xf32>, index) -> f32 loc(#loc7)
      "affine.store"(%0, %arg2, %arg1, %arg3) <{map = #map1}> : (f32, memref<?xf32>, index, index) -> () loc(#loc8)
      "affine.yield"() : () -> () loc(#loc5)
    }) : (index) -> () loc(#loc5)
    "func.return"() : () -> () loc(#loc9)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("index-sizes.mlir":0:0)
#loc1 = loc("index-sizes.mlir":1:1)
#loc5 = loc("index-sizes.mlir":2:3)
#loc7 = loc("index-sizes.mlir":3:10)
#loc8 = loc("index-sizes.mlir":4:5)
#loc9 = loc("index-sizes.mlir":6:3)

