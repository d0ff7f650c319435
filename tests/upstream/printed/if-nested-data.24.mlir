#loc2 = loc("if-nested-data.mlir":1:17)
#loc3 = loc("if-nested-data.mlir":1:38)
#loc6 = loc("if-nested-data.mlir":3:14)
#loc11 = loc("if-nested-data.mlir":7:18)
#map = affine_map<(d0) -> (d0, 0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<() -> (0)>
#map3 = affine_map<() -> (9)>
#map4 = affine_map<() -> (5)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<5x9xf32>, memref<5x9xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<5x9xf32> loc("if-nested-data.mlir":1:17), %arg1: memref<5x9xf32> loc("if-nested-data.mlir":1:38)):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32 loc(#loc4)
    "affine.for"() <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map4}> ({
    ^bb0(%arg2: index loc("if-nested-data.mlir":3:14)):
      %1 = "affine.load"(%arg0, %arg2) <{map = #map}> : (memref<5x9xf32>, index) -> f32 loc(#loc7)
      %2 = "arith.cmpf"(%1, %0) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1 loc(#loc8)
      "scf.if"(%2) ({
        "affine.for"() <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map3}> ({
        ^bb0(%arg3: index loc("if-nested-data.mlir":7:18)):
          %3 = "affine.load"(%arg0, %arg2, %arg3) <{map = #map1}> : (memref<5x9xf32>, index, index) -> f32 loc(#loc12)
          %4 = "arith.cmpf"(%3, %1) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1 loc(#loc13)
          "scf.if"(%4) ({
            "affine.store"(%3, %arg1, %arg2, %arg3) <{map = #map1}> : (f32, memref<5x9xf32>, index, index) -> () loc(#loc15)
            "scf.yield"() : () -> () loc(#loc14)
          }, {
          }) : (i1) -> () loc(#loc14)
          "affine.yield"() : () -> () loc(#loc10)
        }) : () -> () loc(#loc10)
        "scf.yield"() : () -> () loc(#loc9)
      }, {
      }) : (i1) -> () loc(#loc9)
      "affine.yield"() : () -> () loc(#loc5)
    }) : () -> () loc(#loc5)
    "func.return"() : () -> () loc(#loc16)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("if-nested-data.mlir":0:0)
#loc1 = loc("if-nested-data.mlir":1:1)
#loc4 = loc("if-nested-data.mlir":2:8)
#loc5 = loc("if-nested-data.mlir":3:3)
#loc7 = loc("if-nested-data.mlir":4:10)
#loc8 = loc("if-nested-data.mlir":5:10)
#loc9 = loc("if-nested-data.mlir":6:5)
#loc10 = loc("if-nested-data.mlir":7:7)
#loc12 = loc("if-nested-data.mlir":8:14)
#loc13 = loc("if-nested-data.mlir":9:14)
#loc14 = loc("if-nested-data.mlir":10:9)
#loc15 = loc("if-nested-data.mlir":11:11)
#loc16 = loc("if-nested-data.mlir":16:3)

