#loc2 = loc("if-vector-result.mlir":1:17)
#loc3 = loc("if-vector-result.mlir":1:38)
#loc7 = loc("if-vector-result.mlir":4:14)
#map = affine_map<(d0) -> (d0, 0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (3)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<3x8xf32>, memref<3x8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<3x8xf32> loc("if-vector-result.mlir":1:17), %arg1: memref<3x8xf32> loc("if-vector-result.mlir":1:38)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc4)
    %1 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32 loc(#loc5)
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg2: index loc("if-vector-result.mlir":4:14)):
      %2 = "affine.load"(%arg0, %arg2) <{map = #map}> : (memref<3x8xf32>, index) -> f32 loc(#loc8)
      %3 = "arith.cmpf"(%2, %1) <{fastmath = #arith.fastmath<none>, predicate = 3 : i64}> : (f32, f32) -> i1 loc(#loc9)
      %4 = "scf.if"(%3) ({
        %6 = "vector.load"(%arg0, %arg2, %0) : (memref<3x8xf32>, index, index) -> vector<8xf32> loc(#loc11)
        "scf.yield"(%6) : (vector<8xf32>) -> () loc(#loc12)
      }, {
        %5 = "vector.broadcast"(%2) : (f32) -> vector<8xf32> loc(#loc13)
        "scf.yield"(%5) : (vector<8xf32>) -> () loc(#loc14)
      }) : (i1) -> vector<8xf32> loc(#loc10)
      "vector.store"(%4, %arg1, %arg2, %0) : (vector<8xf32>, memref<3x8xf32>, index, index) -> () loc(#loc15)
      "affine.yield"() : () -> () loc(#loc6)
    }) : () -> () loc(#loc6)
    "func.return"() : () -> () loc(#loc16)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("if-vector-result.mlir":0:0)
#loc1 = loc("if-vector-result.mlir":1:1)
#loc4 = loc("if-vector-result.mlir":2:9)
#loc5 = loc("if-vector-result.mlir":3:11)
#loc6 = loc("if-vector-result.mlir":4:3)
#loc8 = loc("if-vector-result.mlir":5:10)
#loc9 = loc("if-vector-result.mlir":6:10)
#loc10 = loc("if-vector-result.mlir":7:10)
#loc11 = loc("if-vector-result.mlir":8:12)
#loc12 = loc("if-vector-result.mlir":9:7)
#loc13 = loc("if-vector-result.mlir":11:12)
#loc14 = loc("if-vector-result.mlir":12:7)
#loc15 = loc("if-vector-result.mlir":14:5)
#loc16 = loc("if-vector-result.mlir":16:3)

