#loc2 = loc("affine-if-else.mlir":1:17)
#loc3 = loc("affine-if-else.mlir":1:36)
#loc7 = loc("affine-if-else.mlir":4:14)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (9)>
#set = affine_set<(d0) : (d0 - 4 >= 0)>
#set1 = affine_set<(d0)[s0] : (d0 mod 2 == 0, -d0 + s0 - 1 >= 0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<9xi32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<9xi32> loc("affine-if-else.mlir":1:17), %arg1: index loc("affine-if-else.mlir":1:36)):
    %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32 loc(#loc4)
    %1 = "arith.constant"() <{value = 2 : i32}> : () -> i32 loc(#loc5)
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg2: index loc("affine-if-else.mlir":4:14)):
      "affine.if"(%arg2, %arg1) <{condition = #set1}> ({
        "affine.store"(%0, %arg0, %arg2) <{map = #map}> : (i32, memref<9xi32>, index) -> () loc(#loc9)
        "affine.yield"() : () -> () loc(#loc8)
      }, {
        "affine.if"(%arg2) <{condition = #set}> ({
          "affine.store"(%1, %arg0, %arg2) <{map = #map}> : (i32, memref<9xi32>, index) -> () loc(#loc11)
          "affine.yield"() : () -> () loc(#loc10)
        }, {
        }) : (index) -> () loc(#loc10)
        "affine.yield"() : () -> () loc(#loc8)
      }) : (index, index) -> () loc(#loc8)
      "affine.yield"() : () -> () loc(#loc6)
    }) : () -> () loc(#loc6)
    "func.return"() : () -> () loc(#loc12)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("affine-if-else.mlir":0:0)
#loc1 = loc("affine-if-else.mlir":1:1)
#loc4 = loc("affine-if-else.mlir":2:8)
#loc5 = loc("affine-if-else.mlir":3:8)
#loc6 = loc("affine-if-else.mlir":4:3)
#loc8 = loc("affine-if-else.mlir":5:5)
#loc9 = loc("affine-if-else.mlir":6:7)
#loc10 = loc("affine-if-else.mlir":8:7)
#loc11 = loc("affine-if-else.mlir":9:9)
#loc12 = loc("affine-if-else.mlir":13:3)

