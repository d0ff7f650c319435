#loc2 = loc("forall-memref.mlir":1:17)
#loc3 = loc("forall-memref.mlir":1:39)
#loc4 = loc("forall-memref.mlir":1:61)
#loc7 = loc("forall-memref.mlir":3:15)
#loc8 = loc("forall-memref.mlir":3:19)
#loc12 = loc("forall-memref.mlir":7:15)
#loc13 = loc("forall-memref.mlir":7:19)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8x12xf32>, memref<8x12xf32>, memref<8x12xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<8x12xf32> loc("forall-memref.mlir":1:17), %arg1: memref<8x12xf32> loc("forall-memref.mlir":1:39), %arg2: memref<8x12xf32> loc("forall-memref.mlir":1:61)):
    %0 = "arith.constant"() <{value = 12 : index}> : () -> index loc(#loc5)
    "scf.forall"(%0) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0, 0>, staticStep = array<i64: 1, 1>, staticUpperBound = array<i64: 8, -9223372036854775808>}> ({
    ^bb0(%arg5: index loc("forall-memref.mlir":3:15), %arg6: index loc("forall-memref.mlir":3:19)):
      %2 = "memref.load"(%arg0, %arg5, %arg6) : (memref<8x12xf32>, index, index) -> f32 loc(#loc9)
      "memref.store"(%2, %arg1, %arg5, %arg6) : (f32, memref<8x12xf32>, index, index) -> () loc(#loc10)
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> () loc(#loc6)
    }) : (index) -> () loc(#loc6)
    "scf.forall"() <{operandSegmentSizes = array<i32: 0, 0, 0, 0>, staticLowerBound = array<i64: 1, 0>, staticStep = array<i64: 3, 2>, staticUpperBound = array<i64: 8, 12>}> ({
    ^bb0(%arg3: index loc("forall-memref.mlir":7:15), %arg4: index loc("forall-memref.mlir":7:19)):
      %1 = "memref.load"(%arg0, %arg3, %arg4) : (memref<8x12xf32>, index, index) -> f32 loc(#loc14)
      "memref.store"(%1, %arg2, %arg3, %arg4) : (f32, memref<8x12xf32>, index, index) -> () loc(#loc15)
      "scf.forall.in_parallel"() ({
      ^bb0:
      }) : () -> () loc(#loc11)
    }) : () -> () loc(#loc11)
    "func.return"() : () -> () loc(#loc16)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("forall-memref.mlir":0:0)
#loc1 = loc("forall-memref.mlir":1:1)
#loc5 = loc("forall-memref.mlir":2:10)
#loc6 = loc("forall-memref.mlir":3:3)
#loc9 = loc("forall-memref.mlir":4:10)
#loc10 = loc("forall-memref.mlir":5:5)
#loc11 = loc("forall-memref.mlir":7:3)
#loc14 = loc("forall-memref.mlir":8:10)
#loc15 = loc("forall-memref.mlir":9:5)
#loc16 = loc("forall-memref.mlir":11:3)

