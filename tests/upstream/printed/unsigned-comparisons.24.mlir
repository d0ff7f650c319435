#loc2 = loc("unsigned-comparisons.mlir":1:17)
#loc3 = loc("unsigned-comparisons.mlir":1:37)
#loc4 = loc("unsigned-comparisons.mlir":1:57)
#loc6 = loc("unsigned-comparisons.mlir":2:14)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (10)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<10xf32>, memref<10xf32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<10xf32> loc("unsigned-comparisons.mlir":1:17), %arg1: memref<10xf32> loc("unsigned-comparisons.mlir":1:37), %arg2: index loc("unsigned-comparisons.mlir":1:57)):
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg3: index loc("unsigned-comparisons.mlir":2:14)):
      %0 = "affine.load"(%arg0, %arg3) <{map = #map}> : (memref<10xf32>, index) -> f32 loc(#loc7)
      %1 = "arith.cmpi"(%arg3, %arg2) <{predicate = 6 : i64}> : (index, index) -> i1 loc(#loc8)
      %2 = "arith.cmpi"(%arg3, %arg2) <{predicate = 1 : i64}> : (index, index) -> i1 loc(#loc9)
      %3 = "arith.andi"(%1, %2) : (i1, i1) -> i1 loc(#loc10)
      "scf.if"(%3) ({
        "affine.store"(%0, %arg1, %arg3) <{map = #map}> : (f32, memref<10xf32>, index) -> () loc(#loc12)
        "scf.yield"() : () -> () loc(#loc11)
      }, {
      }) : (i1) -> () loc(#loc11)
      "affine.yield"() : () -> () loc(#loc5)
    }) : () -> () loc(#loc5)
    "func.return"() : () -> () loc(#loc13)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("unsigned-comparisons.mlir":0:0)
#loc1 = loc("unsigned-comparisons.mlir":1:1)
#loc5 = loc("unsigned-comparisons.mlir":2:3)
#loc7 = loc("unsigned-comparisons.mlir":3:10)
#loc8 = loc("unsigned-comparisons.mlir":4:10)
#loc9 = loc("unsigned-comparisons.mlir":5:10)
#loc10 = loc("unsigned-comparisons.mlir":6:10)
#loc11 = loc("unsigned-comparisons.mlir":7:5)
#loc12 = loc("unsigned-comparisons.mlir":8:7)
#loc13 = loc("unsigned-comparisons.mlir":11:3)

