#loc2 = loc("affine-apply-chains.mlir":4:17)
#loc3 = loc("affine-apply-chains.mlir":4:37)
#loc4 = loc("affine-apply-chains.mlir":4:57)
#loc6 = loc("affine-apply-chains.mlir":5:14)
#loc8 = loc("affine-apply-chains.mlir":6:16)
#map = affine_map<(d0, d1) -> (d0 + (-d1) floordiv 2)>
#map1 = affine_map<(d0) -> (d0 ceildiv 3)>
#map2 = affine_map<(d0, d1)[s0] -> (d0 mod 5 + d1 * 2 + s0)>
#map3 = affine_map<(d0)[s0] -> (d0 mod 7 + s0)>
#map4 = affine_map<(d0, d1) -> (d0 * 3 + d1 mod 3)>
#map5 = affine_map<(d0) -> (d0 floordiv 2)>
#map6 = affine_map<(d0) -> (d0 floordiv 2 + 2)>
#map7 = affine_map<() -> (0)>
#map8 = affine_map<() -> (12)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<40xf32>, memref<40xf32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<40xf32> loc("affine-apply-chains.mlir":4:17), %arg1: memref<40xf32> loc("affine-apply-chains.mlir":4:37), %arg2: index loc("affine-apply-chains.mlir":4:57)):
    "affine.for"() <{lowerBoundMap = #map7, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map8}> ({
    ^bb0(%arg3: index loc("affine-apply-chains.mlir":5:14)):
      "affine.for"(%arg3, %arg3) <{lowerBoundMap = #map5, operandSegmentSizes = array<i32: 1, 1, 0>, step = 1 : index, upperBoundMap = #map6}> ({
      ^bb0(%arg4: index loc("affine-apply-chains.mlir":6:16)):
        %0 = "affine.apply"(%arg3, %arg4) <{map = #map}> : (index, index) -> index loc(#loc9)
        %1 = "affine.apply"(%arg3) <{map = #map1}> : (index) -> index loc(#loc10)
        %2 = "affine.apply"(%0, %1, %arg2) <{map = #map2}> : (index, index, index) -> index loc(#loc11)
        %3 = "affine.load"(%arg0, %2, %arg2) <{map = #map3}> : (memref<40xf32>, index, index) -> f32 loc(#loc12)
        "affine.store"(%3, %arg1, %arg3, %arg4) <{map = #map4}> : (f32, memref<40xf32>, index, index) -> () loc(#loc13)
        "affine.yield"() : () -> () loc(#loc7)
      }) : (index, index) -> () loc(#loc7)
      "affine.yield"() : () -> () loc(#loc5)
    }) : () -> () loc(#loc5)
    "func.return"() : () -> () loc(#loc14)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("affine-apply-chains.mlir":0:0)
#loc1 = loc("affine-apply-chains.mlir":4:1)
#loc5 = loc("affine-apply-chains.mlir":5:3)
#loc7 = loc("affine-apply-chains.mlir":6:5)
#loc9 = loc("affine-apply-chains.mlir":7:12)
#loc10 = loc("affine-apply-chains.mlir":8:12)
#loc11 = loc("affine-apply-chains.mlir":9:12)
#loc12 = loc("affine-apply-chains.mlir":10:12)
#loc13 = loc("affine-apply-chains.mlir":11:7)
#loc14 = loc("affine-apply-chains.mlir":14:3)

