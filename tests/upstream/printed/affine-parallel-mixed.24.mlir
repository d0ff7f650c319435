#loc2 = loc("affine-parallel-mixed.mlir":1:17)
#loc3 = loc("affine-parallel-mixed.mlir":1:38)
#loc4 = loc("affine-parallel-mixed.mlir":1:49)
#loc6 = loc("affine-parallel-mixed.mlir":2:27)
#loc7 = loc("affine-parallel-mixed.mlir":2:31)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<() -> (0, 0)>
#map2 = affine_map<()[s0] -> (s0, s0 + 2, 8)>
#map3 = affine_map<() -> (0)>
#map4 = affine_map<() -> (1)>
#map5 = affine_map<() -> (2)>
#map6 = affine_map<() -> (3)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x8xi32>, index, memref<4xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?x8xi32> loc("affine-parallel-mixed.mlir":1:17), %arg1: index loc("affine-parallel-mixed.mlir":1:38), %arg2: memref<4xi32> loc("affine-parallel-mixed.mlir":1:49)):
    %0:4 = "affine.parallel"(%arg1) <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = #map1, reductions = [2, 1, 13, 14], steps = [1, 3], upperBoundsGroups = dense<[1, 2]> : tensor<2xi32>, upperBoundsMap = #map2}> ({
    ^bb0(%arg3: index loc("affine-parallel-mixed.mlir":2:27), %arg4: index loc("affine-parallel-mixed.mlir":2:31)):
      %1 = "affine.load"(%arg0, %arg3, %arg4) <{map = #map}> : (memref<?x8xi32>, index, index) -> i32 loc(#loc8)
      "affine.yield"(%1, %1, %1, %1) : (i32, i32, i32, i32) -> () loc(#loc9)
    }) : (index) -> (i32, i32, i32, i32) loc(#loc5)
    "affine.store"(%0#0, %arg2) <{map = #map3}> : (i32, memref<4xi32>) -> () loc(#loc10)
    "affine.store"(%0#1, %arg2) <{map = #map4}> : (i32, memref<4xi32>) -> () loc(#loc11)
    "affine.store"(%0#2, %arg2) <{map = #map5}> : (i32, memref<4xi32>) -> () loc(#loc12)
    "affine.store"(%0#3, %arg2) <{map = #map6}> : (i32, memref<4xi32>) -> () loc(#loc13)
    "func.return"() : () -> () loc(#loc14)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("affine-parallel-mixed.mlir":0:0)
#loc1 = loc("affine-parallel-mixed.mlir":1:1)
#loc5 = loc("affine-parallel-mixed.mlir":2:10)
#loc8 = loc("affine-parallel-mixed.mlir":3:10)
#loc9 = loc("affine-parallel-mixed.mlir":4:5)
#loc10 = loc("affine-parallel-mixed.mlir":6:3)
#loc11 = loc("affine-parallel-mixed.mlir":7:3)
#loc12 = loc("affine-parallel-mixed.mlir":8:3)
#loc13 = loc("affine-parallel-mixed.mlir":9:3)
#loc14 = loc("affine-parallel-mixed.mlir":10:3)

