#loc2 = loc("call-results.mlir":1:25)
#loc9 = loc("call-results.mlir":7:14)
#loc13 = loc("call-results.mlir":10:17)
#loc15 = loc("call-results.mlir":11:14)
#loc18 = loc("call-results.mlir":13:16)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (4)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<() -> (3)>
"builtin.module"() ({
  "func.func"() <{function_type = (index) -> (memref<4xf32>, index), sym_name = "pair", sym_visibility = "private"}> ({
  ^bb0(%arg3: index loc("call-results.mlir":1:25)):
    %2 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32> loc(#loc3)
    %3 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc4)
    %4 = "arith.addi"(%arg3, %3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc(#loc5)
    %5 = "arith.index_cast"(%arg3) : (index) -> i32 loc(#loc6)
    %6 = "arith.sitofp"(%5) : (i32) -> f32 loc(#loc7)
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg4: index loc("call-results.mlir":7:14)):
      "affine.store"(%6, %2, %arg4) <{map = #map}> : (f32, memref<4xf32>, index) -> () loc(#loc10)
      "affine.yield"() : () -> () loc(#loc8)
    }) : () -> () loc(#loc8)
    "func.return"(%2, %4) : (memref<4xf32>, index) -> () loc(#loc11)
  }) : () -> () loc(#loc1)
  "func.func"() <{function_type = (memref<3x4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<3x4xf32> loc("call-results.mlir":10:17)):
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map4}> ({
    ^bb0(%arg1: index loc("call-results.mlir":11:14)):
      %0:2 = "func.call"(%arg1) <{callee = @pair}> : (index) -> (memref<4xf32>, index) loc(#loc16)
      "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
      ^bb0(%arg2: index loc("call-results.mlir":13:16)):
        %1 = "affine.load"(%0#0, %arg2) <{map = #map}> : (memref<4xf32>, index) -> f32 loc(#loc19)
        "affine.store"(%1, %arg0, %arg1, %arg2) <{map = #map3}> : (f32, memref<3x4xf32>, index, index) -> () loc(#loc20)
        "affine.yield"() : () -> () loc(#loc17)
      }) : () -> () loc(#loc17)
      "memref.dealloc"(%0#0) : (memref<4xf32>) -> () loc(#loc21)
      "affine.yield"() : () -> () loc(#loc14)
    }) : () -> () loc(#loc14)
    "func.return"() : () -> () loc(#loc22)
  }) : () -> () loc(#loc12)
}) : () -> () loc(#loc)
#loc = loc("call-results.mlir":0:0)
#loc1 = loc("call-results.mlir":1:1)
#loc3 = loc("call-results.mlir":2:8)
#loc4 = loc("call-results.mlir":3:9)
#loc5 = loc("call-results.mlir":4:8)
#loc6 = loc("call-results.mlir":5:8)
#loc7 = loc("call-results.mlir":6:8)
#loc8 = loc("call-results.mlir":7:3)
#loc10 = loc("call-results.mlir":7:28)
#loc11 = loc("call-results.mlir":8:3)
#loc12 = loc("call-results.mlir":10:1)
#loc14 = loc("call-results.mlir":11:3)
#loc16 = loc("call-results.mlir":12:12)
#loc17 = loc("call-results.mlir":13:5)
#loc19 = loc("call-results.mlir":14:12)
#loc20 = loc("call-results.mlir":15:7)
#loc21 = loc("call-results.mlir":17:5)
#loc22 = loc("call-results.mlir":19:3)

