#loc2 = loc("symbol-bounds.mlir":1:17)
#loc3 = loc("symbol-bounds.mlir":1:38)
#loc9 = loc("symbol-bounds.mlir":6:14)
#loc11 = loc("symbol-bounds.mlir":7:16)
#map = affine_map<(d0, d1)[s0] -> (d0, -d1 + s0 - 1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0)[s0] -> (0, d0 - s0)>
#map3 = affine_map<(d0)[s0] -> (d0 + 2, s0)>
#map4 = affine_map<() -> (0)>
#map5 = affine_map<()[s0] -> (s0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x?xf32>, memref<?x?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?x?xf32> loc("symbol-bounds.mlir":1:17), %arg1: memref<?x?xf32> loc("symbol-bounds.mlir":1:38)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc4)
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc5)
    %2 = "memref.dim"(%arg0, %0) : (memref<?x?xf32>, index) -> index loc(#loc6)
    %3 = "memref.dim"(%arg0, %1) : (memref<?x?xf32>, index) -> index loc(#loc7)
    "affine.for"(%2) <{lowerBoundMap = #map4, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 : index, upperBoundMap = #map5}> ({
    ^bb0(%arg2: index loc("symbol-bounds.mlir":6:14)):
      "affine.for"(%arg2, %1, %arg2, %3) <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 2, 2, 0>, step = 1 : index, upperBoundMap = #map3}> ({
      ^bb0(%arg3: index loc("symbol-bounds.mlir":7:16)):
        %4 = "affine.load"(%arg0, %arg2, %arg3, %3) <{map = #map}> : (memref<?x?xf32>, index, index, index) -> f32 loc(#loc12)
        "affine.store"(%4, %arg1, %arg2, %arg3) <{map = #map1}> : (f32, memref<?x?xf32>, index, index) -> () loc(#loc13)
        "affine.yield"() : () -> () loc(#loc10)
      }) : (index, index, index, index) -> () loc(#loc10)
      "affine.yield"() : () -> () loc(#loc8)
    }) : (index) -> () loc(#loc8)
    "func.return"() : () -> () loc(#loc14)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("symbol-bounds.mlir":0:0)
#loc1 = loc("symbol-bounds.mlir":1:1)
#loc4 = loc("symbol-bounds.mlir":2:9)
#loc5 = loc("symbol-bounds.mlir":3:9)
#loc6 = loc("symbol-bounds.mlir":4:8)
#loc7 = loc("symbol-bounds.mlir":5:8)
#loc8 = loc("symbol-bounds.mlir":6:3)
#loc10 = loc("symbol-bounds.mlir":7:5)
#loc12 = loc("symbol-bounds.mlir":8:12)
#loc13 = loc("symbol-bounds.mlir":9:7)
#loc14 = loc("symbol-bounds.mlir":12:3)

