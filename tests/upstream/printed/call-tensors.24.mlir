#loc2 = loc("call-tensors.mlir":1:26)
#loc6 = loc("call-tensors.mlir":5:17)
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6xf32>) -> tensor<6xf32>, sym_name = "twice", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<6xf32> loc("call-tensors.mlir":1:26)):
    %2 = "arith.addf"(%arg1, %arg1) <{fastmath = #arith.fastmath<none>}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32> loc(#loc3)
    "func.return"(%2) : (tensor<6xf32>) -> () loc(#loc4)
  }) : () -> () loc(#loc1)
  "func.func"() <{function_type = (tensor<6xf32>) -> tensor<6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6xf32> loc("call-tensors.mlir":5:17)):
    %0 = "func.call"(%arg0) <{callee = @twice}> : (tensor<6xf32>) -> tensor<6xf32> loc(#loc7)
    %1 = "func.call"(%0) <{callee = @twice}> : (tensor<6xf32>) -> tensor<6xf32> loc(#loc8)
    "func.return"(%1) : (tensor<6xf32>) -> () loc(#loc9)
  }) : () -> () loc(#loc5)
}) : () -> () loc(#loc)
#loc = loc("call-tensors.mlir":0:0)
#loc1 = loc("call-tensors.mlir":1:1)
#loc3 = loc("call-tensors.mlir":2:8)
#loc4 = loc("call-tensors.mlir":3:3)
#loc5 = loc("call-tensors.mlir":5:1)
#loc7 = loc("call-tensors.mlir":6:8)
#loc8 = loc("call-tensors.mlir":7:8)
#loc9 = loc("call-tensors.mlir":8:3)

