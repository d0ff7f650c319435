#loc2 = loc("scf-parallel-nested.mlir":1:17)
#loc3 = loc("scf-parallel-nested.mlir":1:38)
#loc10 = loc("scf-parallel-nested.mlir":7:17)
#loc12 = loc("scf-parallel-nested.mlir":8:24)
#loc15 = loc("scf-parallel-nested.mlir":11:12)
#loc16 = loc("scf-parallel-nested.mlir":11:21)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x6xf32>, memref<4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x6xf32> loc("scf-parallel-nested.mlir":1:17), %arg1: memref<4xf32> loc("scf-parallel-nested.mlir":1:38)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc4)
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc5)
    %2 = "arith.constant"() <{value = 4 : index}> : () -> index loc(#loc6)
    %3 = "arith.constant"() <{value = 6 : index}> : () -> index loc(#loc7)
    %4 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32 loc(#loc8)
    "scf.parallel"(%0, %2, %1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
    ^bb0(%arg2: index loc("scf-parallel-nested.mlir":7:17)):
      %5 = "scf.parallel"(%0, %3, %1, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
      ^bb0(%arg3: index loc("scf-parallel-nested.mlir":8:24)):
        %6 = "memref.load"(%arg0, %arg2, %arg3) : (memref<4x6xf32>, index, index) -> f32 loc(#loc13)
        "scf.reduce"(%6) ({
        ^bb0(%arg4: f32 loc("scf-parallel-nested.mlir":11:12), %arg5: f32 loc("scf-parallel-nested.mlir":11:21)):
          %7 = "arith.mulf"(%arg4, %arg5) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc17)
          "scf.reduce.return"(%7) : (f32) -> () loc(#loc18)
        }) : (f32) -> () loc(#loc14)
      }) : (index, index, index, f32) -> f32 loc(#loc11)
      "memref.store"(%5, %arg1, %arg2) : (f32, memref<4xf32>, index) -> () loc(#loc19)
      "scf.reduce"() : () -> () loc(#loc20)
    }) : (index, index, index) -> () loc(#loc9)
    "func.return"() : () -> () loc(#loc21)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("scf-parallel-nested.mlir":0:0)
#loc1 = loc("scf-parallel-nested.mlir":1:1)
#loc4 = loc("scf-parallel-nested.mlir":2:9)
#loc5 = loc("scf-parallel-nested.mlir":3:9)
#loc6 = loc("scf-parallel-nested.mlir":4:9)
#loc7 = loc("scf-parallel-nested.mlir":5:9)
#loc8 = loc("scf-parallel-nested.mlir":6:10)
#loc9 = loc("scf-parallel-nested.mlir":7:3)
#loc11 = loc("scf-parallel-nested.mlir":8:10)
#loc13 = loc("scf-parallel-nested.mlir":9:12)
#loc14 = loc("scf-parallel-nested.mlir":10:7)
#loc17 = loc("scf-parallel-nested.mlir":12:14)
#loc18 = loc("scf-parallel-nested.mlir":13:9)
#loc19 = loc("scf-parallel-nested.mlir":16:5)
#loc20 = loc("scf-parallel-nested.mlir":17:5)
#loc21 = loc("scf-parallel-nested.mlir":19:3)

