#loc2 = loc("if-data-results.mlir":1:17)
#loc3 = loc("if-data-results.mlir":1:37)
#loc4 = loc("if-data-results.mlir":1:57)
#loc5 = loc("if-data-results.mlir":1:77)
#loc9 = loc("if-data-results.mlir":4:14)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (-d0 + 15)>
#map2 = affine_map<() -> (0)>
#map3 = affine_map<() -> (16)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16xf32>, memref<16xi32>, memref<16xf32>, memref<16xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<16xf32> loc("if-data-results.mlir":1:17), %arg1: memref<16xi32> loc("if-data-results.mlir":1:37), %arg2: memref<16xf32> loc("if-data-results.mlir":1:57), %arg3: memref<16xi32> loc("if-data-results.mlir":1:77)):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32 loc(#loc6)
    %1 = "arith.constant"() <{value = 7 : i32}> : () -> i32 loc(#loc7)
    "affine.for"() <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map3}> ({
    ^bb0(%arg4: index loc("if-data-results.mlir":4:14)):
      %2 = "affine.load"(%arg0, %arg4) <{map = #map}> : (memref<16xf32>, index) -> f32 loc(#loc10)
      %3 = "affine.load"(%arg1, %arg4) <{map = #map}> : (memref<16xi32>, index) -> i32 loc(#loc11)
      %4 = "arith.cmpf"(%2, %0) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1 loc(#loc12)
      %5:2 = "scf.if"(%4) ({
        %7 = "arith.addf"(%2, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc14)
        "scf.yield"(%7, %1) : (f32, i32) -> () loc(#loc15)
      }, {
        %6 = "affine.load"(%arg0, %arg4) <{map = #map1}> : (memref<16xf32>, index) -> f32 loc(#loc16)
        "scf.yield"(%6, %3) : (f32, i32) -> () loc(#loc17)
      }) : (i1) -> (f32, i32) loc(#loc13)
      "affine.store"(%5#0, %arg2, %arg4) <{map = #map}> : (f32, memref<16xf32>, index) -> () loc(#loc18)
      "affine.store"(%5#1, %arg3, %arg4) <{map = #map}> : (i32, memref<16xi32>, index) -> () loc(#loc19)
      "affine.yield"() : () -> () loc(#loc8)
    }) : () -> () loc(#loc8)
    "func.return"() : () -> () loc(#loc20)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("if-data-results.mlir":0:0)
#loc1 = loc("if-data-results.mlir":1:1)
#loc6 = loc("if-data-results.mlir":2:8)
#loc7 = loc("if-data-results.mlir":3:12)
#loc8 = loc("if-data-results.mlir":4:3)
#loc10 = loc("if-data-results.mlir":5:10)
#loc11 = loc("if-data-results.mlir":6:10)
#loc12 = loc("if-data-results.mlir":7:10)
#loc13 = loc("if-data-results.mlir":8:12)
#loc14 = loc("if-data-results.mlir":9:12)
#loc15 = loc("if-data-results.mlir":10:7)
#loc16 = loc("if-data-results.mlir":12:12)
#loc17 = loc("if-data-results.mlir":13:7)
#loc18 = loc("if-data-results.mlir":15:5)
#loc19 = loc("if-data-results.mlir":16:5)
#loc20 = loc("if-data-results.mlir":18:3)

