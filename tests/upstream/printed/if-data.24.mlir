#loc2 = loc("if-data.mlir":1:17)
#loc3 = loc("if-data.mlir":1:37)
#loc4 = loc("if-data.mlir":1:57)
#loc7 = loc("if-data.mlir":3:14)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (16)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, memref<16xf32>, memref<16xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<16xf32> loc("if-data.mlir":1:17), %arg1: memref<16xf32> loc("if-data.mlir":1:37), %arg2: memref<16xf32> loc("if-data.mlir":1:57)):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32 loc(#loc5)
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg3: index loc("if-data.mlir":3:14)):
      %1 = "affine.load"(%arg0, %arg3) <{map = #map}> : (memref<16xf32>, index) -> f32 loc(#loc8)
      %2 = "arith.cmpf"(%1, %0) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1 loc(#loc9)
      "scf.if"(%2) ({
        "affine.store"(%1, %arg1, %arg3) <{map = #map}> : (f32, memref<16xf32>, index) -> () loc(#loc11)
        "scf.yield"() : () -> () loc(#loc10)
      }, {
        %3 = "arith.negf"(%1) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc(#loc12)
        "affine.store"(%3, %arg2, %arg3) <{map = #map}> : (f32, memref<16xf32>, index) -> () loc(#loc13)
        "scf.yield"() : () -> () loc(#loc10)
      }) : (i1) -> () loc(#loc10)
      "affine.yield"() : () -> () loc(#loc6)
    }) : () -> () loc(#loc6)
    "func.return"() : () -> () loc(#loc14)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("if-data.mlir":0:0)
#loc1 = loc("if-data.mlir":1:1)
#loc5 = loc("if-data.mlir":2:8)
#loc6 = loc("if-data.mlir":3:3)
#loc8 = loc("if-data.mlir":4:10)
#loc9 = loc("if-data.mlir":5:10)
#loc10 = loc("if-data.mlir":6:5)
#loc11 = loc("if-data.mlir":7:7)
#loc12 = loc("if-data.mlir":9:12)
#loc13 = loc("if-data.mlir":10:7)
#loc14 = loc("if-data.mlir":13:3)

