#loc2 = loc("integer-arguments.mlir":1:17)
#loc3 = loc("integer-arguments.mlir":1:36)
#loc4 = loc("integer-arguments.mlir":1:46)
#loc9 = loc("integer-arguments.mlir":5:11)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xi64>, i64, i64) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?xi64> loc("integer-arguments.mlir":1:17), %arg1: i64 loc("integer-arguments.mlir":1:36), %arg2: i64 loc("integer-arguments.mlir":1:46)):
    %0 = "arith.constant"() <{value = 1 : i64}> : () -> i64 loc(#loc5)
    %1 = "arith.constant"() <{value = 2 : i64}> : () -> i64 loc(#loc6)
    %2 = "arith.subi"(%arg2, %0) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64 loc(#loc7)
    "scf.for"(%arg1, %2, %1) ({
    ^bb0(%arg3: i64 loc("integer-arguments.mlir":5:11)):
      %3 = "arith.index_cast"(%arg3) : (i64) -> index loc(#loc10)
      "memref.store"(%arg3, %arg0, %3) : (i64, memref<?xi64>, index) -> () loc(#loc11)
      "scf.yield"() : () -> () loc(#loc8)
    }) : (i64, i64, i64) -> () loc(#loc8)
    "func.return"() : () -> () loc(#loc12)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("integer-arguments.mlir":0:0)
#loc1 = loc("integer-arguments.mlir":1:1)
#loc5 = loc("integer-arguments.mlir":2:10)
#loc6 = loc("integer-arguments.mlir":3:10)
#loc7 = loc("integer-arguments.mlir":4:10)
#loc8 = loc("integer-arguments.mlir":5:3)
#loc10 = loc("integer-arguments.mlir":6:10)
#loc11 = loc("integer-arguments.mlir":7:5)
#loc12 = loc("integer-arguments.mlir":9:3)

