#loc2 = loc("poison-tensors.mlir":1:17)
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf32> loc("poison-tensors.mlir":1:17)):
    %0 = "ub.poison"() <{value = #ub.poison}> : () -> f32 loc(#loc3)
    %1 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc4)
    %2 = "arith.constant"() <{value = 2 : index}> : () -> index loc(#loc5)
    %3 = "tensor.insert"(%0, %arg0, %2) : (f32, tensor<4xf32>, index) -> tensor<4xf32> loc(#loc6)
    %4 = "tensor.extract"(%arg0, %1) : (tensor<4xf32>, index) -> f32 loc(#loc7)
    %5 = "tensor.insert"(%4, %3, %2) : (f32, tensor<4xf32>, index) -> tensor<4xf32> loc(#loc8)
    "func.return"(%5) : (tensor<4xf32>) -> () loc(#loc9)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("poison-tensors.mlir":0:0)
#loc1 = loc("poison-tensors.mlir":1:1)
#loc3 = loc("poison-tensors.mlir":2:8)
#loc4 = loc("poison-tensors.mlir":3:9)
#loc5 = loc("poison-tensors.mlir":4:9)
#loc6 = loc("poison-tensors.mlir":5:8)
#loc7 = loc("poison-tensors.mlir":6:8)
#loc8 = loc("poison-tensors.mlir":7:8)
#loc9 = loc("poison-tensors.mlir":8:3)

