#loc2 = loc("call-view.mlir":1:25)
#loc5 = loc("call-view.mlir":3:14)
#loc9 = loc("call-view.mlir":6:17)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (4)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32, strided<[2], offset: ?>>) -> (), sym_name = "fill", sym_visibility = "private"}> ({
  ^bb0(%arg1: memref<4xf32, strided<[2], offset: ?>> loc("call-view.mlir":1:25)):
    %2 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32 loc(#loc3)
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg2: index loc("call-view.mlir":3:14)):
      "affine.store"(%2, %arg1, %arg2) <{map = #map}> : (f32, memref<4xf32, strided<[2], offset: ?>>, index) -> () loc(#loc6)
      "affine.yield"() : () -> () loc(#loc4)
    }) : () -> () loc(#loc4)
    "func.return"() : () -> () loc(#loc7)
  }) : () -> () loc(#loc1)
  "func.func"() <{function_type = (memref<8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<8xf32> loc("call-view.mlir":6:17)):
    %0 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc10)
    %1 = "memref.subview"(%arg0, %0) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 2>}> : (memref<8xf32>, index) -> memref<4xf32, strided<[2], offset: ?>> loc(#loc11)
    "func.call"(%1) <{callee = @fill}> : (memref<4xf32, strided<[2], offset: ?>>) -> () loc(#loc12)
    "func.return"() : () -> () loc(#loc13)
  }) : () -> () loc(#loc8)
}) : () -> () loc(#loc)
#loc = loc("call-view.mlir":0:0)
#loc1 = loc("call-view.mlir":1:1)
#loc3 = loc("call-view.mlir":2:8)
#loc4 = loc("call-view.mlir":3:3)
#loc6 = loc("call-view.mlir":3:28)
#loc7 = loc("call-view.mlir":4:3)
#loc8 = loc("call-view.mlir":6:1)
#loc10 = loc("call-view.mlir":7:9)
#loc11 = loc("call-view.mlir":8:8)
#loc12 = loc("call-view.mlir":9:3)
#loc13 = loc("call-view.mlir":10:3)

