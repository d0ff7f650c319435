#loc2 = loc("affine-min-max-values.mlir":3:17)
#loc3 = loc("affine-min-max-values.mlir":3:37)
#loc4 = loc("affine-min-max-values.mlir":3:57)
#loc6 = loc("affine-min-max-values.mlir":4:14)
#map = affine_map<(d0) -> (d0 - 4, 2)>
#map1 = affine_map<(d0)[s0] -> (d0 + 3, s0 - 1, 12)>
#map2 = affine_map<(d0) -> (d0)>
#map3 = affine_map<() -> (0)>
#map4 = affine_map<() -> (16)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, memref<16xf32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<16xf32> loc("affine-min-max-values.mlir":3:17), %arg1: memref<16xf32> loc("affine-min-max-values.mlir":3:37), %arg2: index loc("affine-min-max-values.mlir":3:57)):
    "affine.for"() <{lowerBoundMap = #map3, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map4}> ({
    ^bb0(%arg3: index loc("affine-min-max-values.mlir":4:14)):
      %0 = "affine.max"(%arg3) <{map = #map}> : (index) -> index loc(#loc7)
      %1 = "affine.min"(%arg3, %arg2) <{map = #map1}> : (index, index) -> index loc(#loc8)
      %2 = "memref.load"(%arg0, %0) : (memref<16xf32>, index) -> f32 loc(#loc9)
      %3 = "memref.load"(%arg0, %1) : (memref<16xf32>, index) -> f32 loc(#loc10)
      %4 = "arith.subf"(%3, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc11)
      "affine.store"(%4, %arg1, %arg3) <{map = #map2}> : (f32, memref<16xf32>, index) -> () loc(#loc12)
      "affine.yield"() : () -> () loc(#loc5)
    }) : () -> () loc(#loc5)
    "func.return"() : () -> () loc(#loc13)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("affine-min-max-values.mlir":0:0)
#loc1 = loc("affine-min-max-values.mlir":3:1)
#loc5 = loc("affine-min-max-values.mlir":4:3)
#loc7 = loc("affine-min-max-values.mlir":5:11)
#loc8 = loc("affine-min-max-values.mlir":6:11)
#loc9 = loc("affine-min-max-values.mlir":7:10)
#loc10 = loc("affine-min-max-values.mlir":8:10)
#loc11 = loc("affine-min-max-values.mlir":9:10)
#loc12 = loc("affine-min-max-values.mlir":10:5)
#loc13 = loc("affine-min-max-values.mlir":12:3)

