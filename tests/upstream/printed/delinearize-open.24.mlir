#loc2 = loc("delinearize-open.mlir":1:17)
#loc3 = loc("delinearize-open.mlir":1:37)
#loc5 = loc("delinearize-open.mlir":2:14)
#map = affine_map<() -> (0)>
#map1 = affine_map<() -> (30)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<30xi64>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<30xi64> loc("delinearize-open.mlir":1:17), %arg1: index loc("delinearize-open.mlir":1:37)):
    "affine.for"() <{lowerBoundMap = #map, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map1}> ({
    ^bb0(%arg2: index loc("delinearize-open.mlir":2:14)):
      %0:3 = "affine.delinearize_index"(%arg2) <{static_basis = array<i64: 3, 4>}> : (index) -> (index, index, index) loc(#loc6)
      %1 = "affine.linearize_index"(%0#0, %0#1, %0#2) <{disjoint = false, operandSegmentSizes = array<i32: 3, 0>, static_basis = array<i64: 9, 3, 4>}> : (index, index, index) -> index loc(#loc7)
      %2 = "affine.linearize_index"(%0#2, %arg1) <{disjoint = false, operandSegmentSizes = array<i32: 2, 0>, static_basis = array<i64: 7>}> : (index, index) -> index loc(#loc8)
      %3 = "arith.index_cast"(%2) : (index) -> i64 loc(#loc9)
      "memref.store"(%3, %arg0, %1) : (i64, memref<30xi64>, index) -> () loc(#loc10)
      "affine.yield"() : () -> () loc(#loc4)
    }) : () -> () loc(#loc4)
    "func.return"() : () -> () loc(#loc11)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("delinearize-open.mlir":0:0)
#loc1 = loc("delinearize-open.mlir":1:1)
#loc4 = loc("delinearize-open.mlir":2:3)
#loc6 = loc("delinearize-open.mlir":3:12)
#loc7 = loc("delinearize-open.mlir":4:10)
#loc8 = loc("delinearize-open.mlir":5:10)
#loc9 = loc("delinearize-open.mlir":6:10)
#loc10 = loc("delinearize-open.mlir":7:5)
#loc11 = loc("delinearize-open.mlir":9:3)

