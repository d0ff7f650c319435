#loc2 = loc("affine-if-whole.mlir":2:17)
#loc3 = loc("affine-if-whole.mlir":2:38)
#loc4 = loc("affine-if-whole.mlir":2:59)
#loc7 = loc("affine-if-whole.mlir":4:14)
#loc9 = loc("affine-if-whole.mlir":5:16)
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (9)>
#set = affine_set<(d0, d1)[s0] : (d0 - d1 == 0, -d0 + s0 >= 0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<9x9xf32>, memref<9x9xf32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<9x9xf32> loc("affine-if-whole.mlir":2:17), %arg1: memref<9x9xf32> loc("affine-if-whole.mlir":2:38), %arg2: index loc("affine-if-whole.mlir":2:59)):
    %0 = "arith.constant"() <{value = -1.000000e+00 : f32}> : () -> f32 loc(#loc5)
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg3: index loc("affine-if-whole.mlir":4:14)):
      "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
      ^bb0(%arg4: index loc("affine-if-whole.mlir":5:16)):
        %1 = "affine.if"(%arg3, %arg4, %arg2) <{condition = #set}> ({
          %2 = "affine.load"(%arg0, %arg3, %arg4) <{map = #map}> : (memref<9x9xf32>, index, index) -> f32 loc(#loc11)
          "affine.yield"(%2) : (f32) -> () loc(#loc12)
        }, {
          "affine.yield"(%0) : (f32) -> () loc(#loc13)
        }) : (index, index, index) -> f32 loc(#loc10)
        "affine.store"(%1, %arg1, %arg3, %arg4) <{map = #map}> : (f32, memref<9x9xf32>, index, index) -> () loc(#loc14)
        "affine.yield"() : () -> () loc(#loc8)
      }) : () -> () loc(#loc8)
      "affine.yield"() : () -> () loc(#loc6)
    }) : () -> () loc(#loc6)
    "func.return"() : () -> () loc(#loc15)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("affine-if-whole.mlir":0:0)
#loc1 = loc("affine-if-whole.mlir":2:1)
#loc5 = loc("affine-if-whole.mlir":3:8)
#loc6 = loc("affine-if-whole.mlir":4:3)
#loc8 = loc("affine-if-whole.mlir":5:5)
#loc10 = loc("affine-if-whole.mlir":6:12)
#loc11 = loc("affine-if-whole.mlir":7:14)
#loc12 = loc("affine-if-whole.mlir":8:9)
#loc13 = loc("affine-if-whole.mlir":10:9)
#loc14 = loc("affine-if-whole.mlir":12:7)
#loc15 = loc("affine-if-whole.mlir":15:3)

