#loc2 = loc("switch-effects.mlir":1:17)
#loc3 = loc("switch-effects.mlir":1:36)
#loc7 = loc("switch-effects.mlir":4:14)
#map = affine_map<(d0)[s0] -> ((d0 + s0) mod 4)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<() -> (0)>
#map3 = affine_map<() -> (9)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<9xi32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<9xi32> loc("switch-effects.mlir":1:17), %arg1: index loc("switch-effects.mlir":1:36)):
    %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32 loc(#loc4)
    %1 = "arith.constant"() <{value = 2 : i32}> : () -> i32 loc(#loc5)
    "affine.for"() <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map3}> ({
    ^bb0(%arg2: index loc("switch-effects.mlir":4:14)):
      %2 = "affine.apply"(%arg2, %arg1) <{map = #map}> : (index, index) -> index loc(#loc8)
      "scf.index_switch"(%2) <{cases = array<i64: 1, 3>}> ({
        "scf.yield"() : () -> () loc(#loc9)
      }, {
        "affine.store"(%0, %arg0, %arg2) <{map = #map1}> : (i32, memref<9xi32>, index) -> () loc(#loc10)
        "scf.yield"() : () -> () loc(#loc11)
      }, {
        "affine.store"(%1, %arg0, %arg2) <{map = #map1}> : (i32, memref<9xi32>, index) -> () loc(#loc12)
        "scf.yield"() : () -> () loc(#loc13)
      }) : (index) -> () loc(#loc9)
      "affine.yield"() : () -> () loc(#loc6)
    }) : () -> () loc(#loc6)
    "func.return"() : () -> () loc(#loc14)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("switch-effects.mlir":0:0)
#loc1 = loc("switch-effects.mlir":1:1)
#loc4 = loc("switch-effects.mlir":2:8)
#loc5 = loc("switch-effects.mlir":3:8)
#loc6 = loc("switch-effects.mlir":4:3)
#loc8 = loc("switch-effects.mlir":5:10)
#loc9 = loc("switch-effects.mlir":6:5)
#loc10 = loc("switch-effects.mlir":8:7)
#loc11 = loc("switch-effects.mlir":9:7)
#loc12 = loc("switch-effects.mlir":12:7)
#loc13 = loc("switch-effects.mlir":13:7)
#loc14 = loc("switch-effects.mlir":18:3)

