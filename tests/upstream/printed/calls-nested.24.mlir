#loc2 = loc("calls-nested.mlir":1:26)
#loc3 = loc("calls-nested.mlir":1:45)
#loc4 = loc("calls-nested.mlir":1:56)
#loc10 = loc("calls-nested.mlir":7:26)
#loc11 = loc("calls-nested.mlir":7:45)
#loc14 = loc("calls-nested.mlir":9:14)
#loc19 = loc("calls-nested.mlir":15:17)
#loc20 = loc("calls-nested.mlir":15:36)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (8)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8xf32>, index, f32) -> f32, sym_name = "inner", sym_visibility = "private"}> ({
  ^bb0(%arg5: memref<8xf32> loc("calls-nested.mlir":1:26), %arg6: index loc("calls-nested.mlir":1:45), %arg7: f32 loc("calls-nested.mlir":1:56)):
    %2 = "memref.load"(%arg5, %arg6) : (memref<8xf32>, index) -> f32 loc(#loc5)
    %3 = "arith.addf"(%2, %arg7) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc6)
    "memref.store"(%3, %arg5, %arg6) : (f32, memref<8xf32>, index) -> () loc(#loc7)
    "func.return"(%2) : (f32) -> () loc(#loc8)
  }) : () -> () loc(#loc1)
  "func.func"() <{function_type = (memref<8xf32>, memref<8xf32>) -> (), sym_name = "outer", sym_visibility = "private"}> ({
  ^bb0(%arg2: memref<8xf32> loc("calls-nested.mlir":7:26), %arg3: memref<8xf32> loc("calls-nested.mlir":7:45)):
    %0 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32 loc(#loc12)
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg4: index loc("calls-nested.mlir":9:14)):
      %1 = "func.call"(%arg2, %arg4, %0) <{callee = @inner}> : (memref<8xf32>, index, f32) -> f32 loc(#loc15)
      "affine.store"(%1, %arg3, %arg4) <{map = #map}> : (f32, memref<8xf32>, index) -> () loc(#loc16)
      "affine.yield"() : () -> () loc(#loc13)
    }) : () -> () loc(#loc13)
    "func.return"() : () -> () loc(#loc17)
  }) : () -> () loc(#loc9)
  "func.func"() <{function_type = (memref<8xf32>, memref<8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<8xf32> loc("calls-nested.mlir":15:17), %arg1: memref<8xf32> loc("calls-nested.mlir":15:36)):
    "func.call"(%arg0, %arg1) <{callee = @outer}> : (memref<8xf32>, memref<8xf32>) -> () loc(#loc21)
    "func.call"(%arg1, %arg0) <{callee = @outer}> : (memref<8xf32>, memref<8xf32>) -> () loc(#loc22)
    "func.return"() : () -> () loc(#loc23)
  }) : () -> () loc(#loc18)
}) : () -> () loc(#loc)
#loc = loc("calls-nested.mlir":0:0)
#loc1 = loc("calls-nested.mlir":1:1)
#loc5 = loc("calls-nested.mlir":2:10)
#loc6 = loc("calls-nested.mlir":3:8)
#loc7 = loc("calls-nested.mlir":4:3)
#loc8 = loc("calls-nested.mlir":5:3)
#loc9 = loc("calls-nested.mlir":7:1)
#loc12 = loc("calls-nested.mlir":8:10)
#loc13 = loc("calls-nested.mlir":9:3)
#loc15 = loc("calls-nested.mlir":10:10)
#loc16 = loc("calls-nested.mlir":11:5)
#loc17 = loc("calls-nested.mlir":13:3)
#loc18 = loc("calls-nested.mlir":15:1)
#loc21 = loc("calls-nested.mlir":16:3)
#loc22 = loc("calls-nested.mlir":17:3)
#loc23 = loc("calls-nested.mlir":18:3)

