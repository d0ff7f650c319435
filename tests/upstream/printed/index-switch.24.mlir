#loc2 = loc("index-switch.mlir":1:17)
#loc3 = loc("index-switch.mlir":1:37)
#loc6 = loc("index-switch.mlir":3:14)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (12)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<12xi32>, memref<12xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<12xi32> loc("index-switch.mlir":1:17), %arg1: memref<12xi32> loc("index-switch.mlir":1:37)):
    %0 = "arith.constant"() <{value = 3 : index}> : () -> index loc(#loc4)
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg2: index loc("index-switch.mlir":3:14)):
      %1 = "arith.remui"(%arg2, %0) : (index, index) -> index loc(#loc7)
      %2 = "affine.load"(%arg0, %arg2) <{map = #map}> : (memref<12xi32>, index) -> i32 loc(#loc8)
      %3 = "scf.index_switch"(%1) <{cases = array<i64: 0, 2>}> ({
        "scf.yield"(%2) : (i32) -> () loc(#loc10)
      }, {
        %5 = "arith.addi"(%2, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32 loc(#loc11)
        "scf.yield"(%5) : (i32) -> () loc(#loc12)
      }, {
        %4 = "arith.constant"() <{value = 7 : i32}> : () -> i32 loc(#loc13)
        "scf.yield"(%4) : (i32) -> () loc(#loc14)
      }) : (index) -> i32 loc(#loc9)
      "affine.store"(%3, %arg1, %arg2) <{map = #map}> : (i32, memref<12xi32>, index) -> () loc(#loc15)
      "affine.yield"() : () -> () loc(#loc5)
    }) : () -> () loc(#loc5)
    "func.return"() : () -> () loc(#loc16)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("index-switch.mlir":0:0)
#loc1 = loc("index-switch.mlir":1:1)
#loc4 = loc("index-switch.mlir":2:12)
#loc5 = loc("index-switch.mlir":3:3)
#loc7 = loc("index-switch.mlir":4:10)
#loc8 = loc("index-switch.mlir":5:10)
#loc9 = loc("index-switch.mlir":6:10)
#loc10 = loc("index-switch.mlir":16:7)
#loc11 = loc("index-switch.mlir":8:12)
#loc12 = loc("index-switch.mlir":9:7)
#loc13 = loc("index-switch.mlir":12:13)
#loc14 = loc("index-switch.mlir":13:7)
#loc15 = loc("index-switch.mlir":18:5)
#loc16 = loc("index-switch.mlir":20:3)

