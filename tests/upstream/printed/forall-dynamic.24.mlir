#loc2 = loc("forall-dynamic.mlir":1:17)
#loc3 = loc("forall-dynamic.mlir":1:38)
#loc4 = loc("forall-dynamic.mlir":1:59)
#loc10 = loc("forall-dynamic.mlir":6:15)
#loc11 = loc("forall-dynamic.mlir":6:19)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x?xf32>, memref<?x?xf32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?x?xf32> loc("forall-dynamic.mlir":1:17), %arg1: memref<?x?xf32> loc("forall-dynamic.mlir":1:38), %arg2: index loc("forall-dynamic.mlir":1:59)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc5)
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc6)
    %2 = "memref.dim"(%arg0, %0) : (memref<?x?xf32>, index) -> index loc(#loc7)
    %3 = "memref.dim"(%arg0, %1) : (memref<?x?xf32>, index) -> index loc(#loc8)
    "scf.forall"(%1, %2, %3, %arg2) <{operandSegmentSizes = array<i32: 1, 2, 1, 0>, staticLowerBound = array<i64: 0, -9223372036854775808>, staticStep = array<i64: -9223372036854775808, 2>, staticUpperBound = array<i64: -9223372036854775808, -9223372036854775808>}> ({
    ^bb0(%arg3: index loc("forall-dynamic.mlir":6:15), %arg4: index loc("forall-dynamic.mlir":6:19)):
      %4 = "memref.load"(%arg0, %arg3, %arg4) : (memref<?x?xf32>, index, index) -> f32 loc(#loc12)
      "memref.store"(%4, %arg1, %arg3, %arg4) : (f32, memref<?x?xf32>, index, index) -> () loc(#loc13)
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> () loc(#loc9)
    }) : (index, index, index, index) -> () loc(#loc9)
    "func.return"() : () -> () loc(#loc14)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("forall-dynamic.mlir":0:0)
#loc1 = loc("forall-dynamic.mlir":1:1)
#loc5 = loc("forall-dynamic.mlir":2:9)
#loc6 = loc("forall-dynamic.mlir":3:9)
#loc7 = loc("forall-dynamic.mlir":4:8)
#loc8 = loc("forall-dynamic.mlir":5:8)
#loc9 = loc("forall-dynamic.mlir":6:3)
#loc12 = loc("forall-dynamic.mlir":7:10)
#loc13 = loc("forall-dynamic.mlir":8:5)
#loc14 = loc("forall-dynamic.mlir":10:3)

