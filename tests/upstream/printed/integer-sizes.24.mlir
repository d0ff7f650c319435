#loc2 = loc("integer-sizes.mlir":1:17)
#loc3 = loc("integer-sizes.mlir":1:36)
#loc4 = loc("integer-sizes.mlir":1:45)
#loc5 = loc("integer-sizes.mlir":1:54)
#loc11 = loc("integer-sizes.mlir":6:11)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32>, i32, i64, memref<?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?xf32> loc("integer-sizes.mlir":1:17), %arg1: i32 loc("integer-sizes.mlir":1:36), %arg2: i64 loc("integer-sizes.mlir":1:45), %arg3: memref<?xf32> loc("integer-sizes.mlir":1:54)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc6)
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc7)
    %2 = "arith.index_cast"(%arg1) : (i32) -> index loc(#loc8)
    %3 = "arith.index_cast"(%arg2) : (i64) -> index loc(#loc9)
    "scf.for"(%3, %2, %1) ({
    ^bb0(%arg4: index loc("integer-sizes.mlir":6:11)):
      %4 = "memref.load"(%arg0, %arg4) : (memref<?xf32>, index) -> f32 loc(#loc12)
      "memref.store"(%4, %arg3, %arg4) : (f32, memref<?xf32>, index) -> () loc(#loc13)
      "scf.yield"() : () -> () loc(#loc10)
    }) : (index, index, index) -> () loc(#loc10)
    "func.return"() : () -> () loc(#loc14)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("integer-sizes.mlir":0:0)
#loc1 = loc("integer-sizes.mlir":1:1)
#loc6 = loc("integer-sizes.mlir":2:9)
#loc7 = loc("integer-sizes.mlir":3:9)
#loc8 = loc("integer-sizes.mlir":4:9)
#loc9 = loc("integer-sizes.mlir":5:9)
#loc10 = loc("integer-sizes.mlir":6:3)
#loc12 = loc("integer-sizes.mlir":7:10)
#loc13 = loc("integer-sizes.mlir":8:5)
#loc14 = loc("integer-sizes.mlir":10:3)

