#loc2 = loc("parallel-reductions.mlir":1:17)
#loc3 = loc("parallel-reductions.mlir":1:39)
#loc4 = loc("parallel-reductions.mlir":1:61)
#loc5 = loc("parallel-reductions.mlir":1:80)
#loc7 = loc("parallel-reductions.mlir":2:27)
#loc8 = loc("parallel-reductions.mlir":2:31)
#loc14 = loc("parallel-reductions.mlir":8:27)
#loc15 = loc("parallel-reductions.mlir":8:31)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<() -> (0, 0)>
#map2 = affine_map<() -> (6, 10)>
#map3 = affine_map<() -> (0)>
#map4 = affine_map<() -> (1)>
#map5 = affine_map<() -> (2)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<6x10xf32>, memref<6x10xi32>, memref<2xf32>, memref<3xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<6x10xf32> loc("parallel-reductions.mlir":1:17), %arg1: memref<6x10xi32> loc("parallel-reductions.mlir":1:39), %arg2: memref<2xf32> loc("parallel-reductions.mlir":1:61), %arg3: memref<3xi32> loc("parallel-reductions.mlir":1:80)):
    %0:2 = "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = #map1, reductions = [4, 8], steps = [1, 2], upperBoundsGroups = dense<1> : tensor<2xi32>, upperBoundsMap = #map2}> ({
    ^bb0(%arg6: index loc("parallel-reductions.mlir":2:27), %arg7: index loc("parallel-reductions.mlir":2:31)):
      %3 = "affine.load"(%arg0, %arg6, %arg7) <{map = #map}> : (memref<6x10xf32>, index, index) -> f32 loc(#loc9)
      "affine.yield"(%3, %3) : (f32, f32) -> () loc(#loc10)
    }) : () -> (f32, f32) loc(#loc6)
    "affine.store"(%0#0, %arg2) <{map = #map3}> : (f32, memref<2xf32>) -> () loc(#loc11)
    "affine.store"(%0#1, %arg2) <{map = #map4}> : (f32, memref<2xf32>) -> () loc(#loc12)
    %1:3 = "affine.parallel"() <{lowerBoundsGroups = dense<1> : tensor<2xi32>, lowerBoundsMap = #map1, reductions = [1, 6, 15], steps = [1, 1], upperBoundsGroups = dense<1> : tensor<2xi32>, upperBoundsMap = #map2}> ({
    ^bb0(%arg4: index loc("parallel-reductions.mlir":8:27), %arg5: index loc("parallel-reductions.mlir":8:31)):
      %2 = "affine.load"(%arg1, %arg4, %arg5) <{map = #map}> : (memref<6x10xi32>, index, index) -> i32 loc(#loc16)
      "affine.yield"(%2, %2, %2) : (i32, i32, i32) -> () loc(#loc17)
    }) : () -> (i32, i32, i32) loc(#loc13)
    "affine.store"(%1#0, %arg3) <{map = #map3}> : (i32, memref<3xi32>) -> () loc(#loc18)
    "affine.store"(%1#1, %arg3) <{map = #map4}> : (i32, memref<3xi32>) -> () loc(#loc19)
    "affine.store"(%1#2, %arg3) <{map = #map5}> : (i32, memref<3xi32>) -> () loc(#loc20)
    "func.return"() : () -> () loc(#loc21)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("parallel-reductions.mlir":0:0)
#loc1 = loc("parallel-reductions.mlir":1:1)
#loc6 = loc("parallel-reductions.mlir":2:10)
#loc9 = loc("parallel-reductions.mlir":3:10)
#loc10 = loc("parallel-reductions.mlir":4:5)
#loc11 = loc("parallel-reductions.mlir":6:3)
#loc12 = loc("parallel-reductions.mlir":7:3)
#loc13 = loc("parallel-reductions.mlir":8:10)
#loc16 = loc("parallel-reductions.mlir":9:10)
#loc17 = loc("parallel-reductions.mlir":10:5)
#loc18 = loc("parallel-reductions.mlir":12:3)
#loc19 = loc("parallel-reductions.mlir":13:3)
#loc20 = loc("parallel-reductions.mlir":14:3)
#loc21 = loc("parallel-reductions.mlir":15:3)

