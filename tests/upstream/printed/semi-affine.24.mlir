#loc2 = loc("semi-affine.mlir":5:17)
#loc3 = loc("semi-affine.mlir":5:37)
#loc4 = loc("semi-affine.mlir":5:57)
#loc5 = loc("semi-affine.mlir":5:77)
#loc7 = loc("semi-affine.mlir":6:14)
#map = affine_map<(d0)[s0] -> (d0 floordiv s0)>
#map1 = affine_map<(d0)[s0] -> (d0 mod s0)>
#map2 = affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0)[s0] -> (d0 ceildiv s0)>
#map5 = affine_map<() -> (0)>
#map6 = affine_map<() -> (24)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<24xf32>, memref<24xf32>, memref<24xi32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<24xf32> loc("semi-affine.mlir":5:17), %arg1: memref<24xf32> loc("semi-affine.mlir":5:37), %arg2: memref<24xi32> loc("semi-affine.mlir":5:57), %arg3: index loc("semi-affine.mlir":5:77)):
    "affine.for"() <{lowerBoundMap = #map5, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map6}> ({
    ^bb0(%arg4: index loc("semi-affine.mlir":6:14)):
      %0 = "affine.apply"(%arg4, %arg3) <{map = #map}> : (index, index) -> index loc(#loc8)
      %1 = "affine.apply"(%arg4, %arg3) <{map = #map1}> : (index, index) -> index loc(#loc9)
      %2 = "affine.apply"(%0, %1, %arg3) <{map = #map2}> : (index, index, index) -> index loc(#loc10)
      %3 = "memref.load"(%arg0, %2) : (memref<24xf32>, index) -> f32 loc(#loc11)
      "affine.store"(%3, %arg1, %arg4) <{map = #map3}> : (f32, memref<24xf32>, index) -> () loc(#loc12)
      %4 = "affine.apply"(%arg4, %arg3) <{map = #map4}> : (index, index) -> index loc(#loc13)
      %5 = "arith.index_cast"(%4) : (index) -> i32 loc(#loc14)
      "affine.store"(%5, %arg2, %arg4) <{map = #map3}> : (i32, memref<24xi32>, index) -> () loc(#loc15)
      "affine.yield"() : () -> () loc(#loc6)
    }) : () -> () loc(#loc6)
    "func.return"() : () -> () loc(#loc16)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("semi-affine.mlir":0:0)
#loc1 = loc("semi-affine.mlir":5:1)
#loc6 = loc("semi-affine.mlir":6:3)
#loc8 = loc("semi-affine.mlir":7:10)
#loc9 = loc("semi-affine.mlir":8:10)
#loc10 = loc("semi-affine.mlir":9:10)
#loc11 = loc("semi-affine.mlir":10:10)
#loc12 = loc("semi-affine.mlir":11:5)
#loc13 = loc("semi-affine.mlir":12:10)
#loc14 = loc("semi-affine.mlir":13:10)
#loc15 = loc("semi-affine.mlir":14:5)
#loc16 = loc("semi-affine.mlir":16:3)

