#loc2 = loc("parallel-bounds.mlir":1:17)
#loc3 = loc("parallel-bounds.mlir":1:40)
#loc5 = loc("parallel-bounds.mlir":2:14)
#loc7 = loc("parallel-bounds.mlir":3:22)
#loc8 = loc("parallel-bounds.mlir":3:26)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0 - 1, 0, d0)>
#map2 = affine_map<(d0) -> (d0 + 4, 12, d0 * 2 + 1, d0 + 5, 12)>
#map3 = affine_map<() -> (0)>
#map4 = affine_map<() -> (12)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<12x12xf32>, memref<12x12xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<12x12xf32> loc("parallel-bounds.mlir":1:17), %arg1: memref<12x12xf32> loc("parallel-bounds.mlir":1:40)):
    "affine.for"() <{lowerBoundMap = #map3, operandSegmentSizes = array<i32: 0, 0, 0>, step = 5 : index, upperBoundMap = #map4}> ({
    ^bb0(%arg2: index loc("parallel-bounds.mlir":2:14)):
      "affine.parallel"(%arg2, %arg2) <{lowerBoundsGroups = dense<[2, 1]> : tensor<2xi32>, lowerBoundsMap = #map1, reductions = [], steps = [1, 2], upperBoundsGroups = dense<[2, 3]> : tensor<2xi32>, upperBoundsMap = #map2}> ({
      ^bb0(%arg3: index loc("parallel-bounds.mlir":3:22), %arg4: index loc("parallel-bounds.mlir":3:26)):
        %0 = "affine.load"(%arg0, %arg3, %arg4) <{map = #map}> : (memref<12x12xf32>, index, index) -> f32 loc(#loc9)
        "affine.store"(%0, %arg1, %arg3, %arg4) <{map = #map}> : (f32, memref<12x12xf32>, index, index) -> () loc(#loc10)
        "affine.yield"() : () -> () loc(#loc6)
      }) : (index, index) -> () loc(#loc6)
      "affine.yield"() : () -> () loc(#loc4)
    }) : () -> () loc(#loc4)
    "func.return"() : () -> () loc(#loc11)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("parallel-bounds.mlir":0:0)
#loc1 = loc("parallel-bounds.mlir":1:1)
#loc4 = loc("parallel-bounds.mlir":2:3)
#loc6 = loc("parallel-bounds.mlir":3:5)
#loc9 = loc("parallel-bounds.mlir":4:12)
#loc10 = loc("parallel-bounds.mlir":5:7)
#loc11 = loc("parallel-bounds.mlir":8:3)

