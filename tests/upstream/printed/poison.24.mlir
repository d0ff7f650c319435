#loc2 = loc("poison.mlir":1:17)
#loc3 = loc("poison.mlir":1:36)
#loc7 = loc("poison.mlir":4:14)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (8)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8xf32>, memref<8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<8xf32> loc("poison.mlir":1:17), %arg1: memref<8xf32> loc("poison.mlir":1:36)):
    %0 = "ub.poison"() <{value = #ub.poison}> : () -> f32 loc(#loc4)
    %1 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32 loc(#loc5)
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg2: index loc("poison.mlir":4:14)):
      %2 = "affine.load"(%arg0, %arg2) <{map = #map}> : (memref<8xf32>, index) -> f32 loc(#loc8)
      %3 = "arith.cmpf"(%1, %1) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1 loc(#loc9)
      %4 = "arith.select"(%3, %0, %2) : (i1, f32, f32) -> f32 loc(#loc10)
      "affine.store"(%4, %arg1, %arg2) <{map = #map}> : (f32, memref<8xf32>, index) -> () loc(#loc11)
      "affine.yield"() : () -> () loc(#loc6)
    }) : () -> () loc(#loc6)
    "func.return"() : () -> () loc(#loc12)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("poison.mlir":0:0)
#loc1 = loc("poison.mlir":1:1)
#loc4 = loc("poison.mlir":2:8)
#loc5 = loc("poison.mlir":3:11)
#loc6 = loc("poison.mlir":4:3)
#loc8 = loc("poison.mlir":5:10)
#loc9 = loc("poison.mlir":6:10)
#loc10 = loc("poison.mlir":7:10)
#loc11 = loc("poison.mlir":8:5)
#loc12 = loc("poison.mlir":10:3)

