#loc2 = loc("for-step-data.mlir":1:17)
#loc3 = loc("for-step-data.mlir":1:37)
#loc4 = loc("for-step-data.mlir":1:57)
#loc8 = loc("for-step-data.mlir":4:11)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<20xf32>, memref<20xf32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<20xf32> loc("for-step-data.mlir":1:17), %arg1: memref<20xf32> loc("for-step-data.mlir":1:37), %arg2: index loc("for-step-data.mlir":1:57)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc5)
    %1 = "arith.constant"() <{value = 20 : index}> : () -> index loc(#loc6)
    "scf.for"(%0, %1, %arg2) ({
    ^bb0(%arg3: index loc("for-step-data.mlir":4:11)):
      %2 = "memref.load"(%arg0, %arg3) : (memref<20xf32>, index) -> f32 loc(#loc9)
      "memref.store"(%2, %arg1, %arg3) : (f32, memref<20xf32>, index) -> () loc(#loc10)
      "scf.yield"() : () -> () loc(#loc7)
    }) : (index, index, index) -> () loc(#loc7)
    "func.return"() : () -> () loc(#loc11)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("for-step-data.mlir":0:0)
#loc1 = loc("for-step-data.mlir":1:1)
#loc5 = loc("for-step-data.mlir":2:9)
#loc6 = loc("for-step-data.mlir":3:10)
#loc7 = loc("for-step-data.mlir":4:3)
#loc9 = loc("for-step-data.mlir":5:10)
#loc10 = loc("for-step-data.mlir":6:5)
#loc11 = loc("for-step-data.mlir":8:3)

