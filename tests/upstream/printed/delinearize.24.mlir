#loc2 = loc("delinearize.mlir":1:17)
#loc3 = loc("delinearize.mlir":1:38)
#loc4 = loc("delinearize.mlir":1:58)
#loc5 = loc("delinearize.mlir":1:78)
#loc7 = loc("delinearize.mlir":2:14)
#map = affine_map<() -> (0)>
#map1 = affine_map<() -> (24)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x6xf32>, memref<24xf32>, memref<24xf32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x6xf32> loc("delinearize.mlir":1:17), %arg1: memref<24xf32> loc("delinearize.mlir":1:38), %arg2: memref<24xf32> loc("delinearize.mlir":1:58), %arg3: index loc("delinearize.mlir":1:78)):
    "affine.for"() <{lowerBoundMap = #map, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map1}> ({
    ^bb0(%arg4: index loc("delinearize.mlir":2:14)):
      %0:2 = "affine.delinearize_index"(%arg4) <{static_basis = array<i64: 4, 6>}> : (index) -> (index, index) loc(#loc8)
      %1 = "memref.load"(%arg0, %0#0, %0#1) : (memref<4x6xf32>, index, index) -> f32 loc(#loc9)
      %2 = "affine.linearize_index"(%0#1, %0#0) <{disjoint = false, operandSegmentSizes = array<i32: 2, 0>, static_basis = array<i64: 6, 4>}> : (index, index) -> index loc(#loc10)
      "memref.store"(%1, %arg1, %2) : (f32, memref<24xf32>, index) -> () loc(#loc11)
      %3:2 = "affine.delinearize_index"(%arg4, %arg3) <{static_basis = array<i64: -9223372036854775808>}> : (index, index) -> (index, index) loc(#loc12)
      %4 = "affine.linearize_index"(%3#0, %3#1, %arg3) <{disjoint, operandSegmentSizes = array<i32: 2, 1>, static_basis = array<i64: -9223372036854775808>}> : (index, index, index) -> index loc(#loc13)
      "memref.store"(%1, %arg2, %4) : (f32, memref<24xf32>, index) -> () loc(#loc14)
      "affine.yield"() : () -> () loc(#loc6)
    }) : () -> () loc(#loc6)
    "func.return"() : () -> () loc(#loc15)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("delinearize.mlir":0:0)
#loc1 = loc("delinearize.mlir":1:1)
#loc6 = loc("delinearize.mlir":2:3)
#loc8 = loc("delinearize.mlir":3:12)
#loc9 = loc("delinearize.mlir":4:10)
#loc10 = loc("delinearize.mlir":5:10)
#loc11 = loc("delinearize.mlir":6:5)
#loc12 = loc("delinearize.mlir":7:12)
#loc13 = loc("delinearize.mlir":8:10)
#loc14 = loc("delinearize.mlir":9:5)
#loc15 = loc("delinearize.mlir":11:3)

