#loc2 = loc("execute-region.mlir":1:17)
#loc3 = loc("execute-region.mlir":1:36)
#loc5 = loc("execute-region.mlir":2:14)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (6)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<6xf32>, memref<6xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<6xf32> loc("execute-region.mlir":1:17), %arg1: memref<6xf32> loc("execute-region.mlir":1:36)):
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg2: index loc("execute-region.mlir":2:14)):
      %0 = "scf.execute_region"() ({
        %1 = "affine.load"(%arg0, %arg2) <{map = #map}> : (memref<6xf32>, index) -> f32 loc(#loc7)
        %2 = "arith.mulf"(%1, %1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc8)
        "scf.yield"(%2) : (f32) -> () loc(#loc9)
      }) : () -> f32 loc(#loc6)
      "affine.store"(%0, %arg1, %arg2) <{map = #map}> : (f32, memref<6xf32>, index) -> () loc(#loc10)
      "affine.yield"() : () -> () loc(#loc4)
    }) : () -> () loc(#loc4)
    "func.return"() : () -> () loc(#loc11)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("execute-region.mlir":0:0)
#loc1 = loc("execute-region.mlir":1:1)
#loc4 = loc("execute-region.mlir":2:3)
#loc6 = loc("execute-region.mlir":3:10)
#loc7 = loc("execute-region.mlir":4:12)
#loc8 = loc("execute-region.mlir":5:12)
#loc9 = loc("execute-region.mlir":6:7)
#loc10 = loc("execute-region.mlir":8:5)
#loc11 = loc("execute-region.mlir":10:3)

