#loc2 = loc("call-tensors.mlir":1:26)
#loc6 = loc("call-tensors.mlir":5:17)
module {
  func.func private @twice(%arg0: tensor<6xf32> loc("call-tensors.mlir":1:26)) -> tensor<6xf32> {
    %0 = arith.addf %arg0, %arg0 : tensor<6xf32> loc(#loc3)
    return %0 : tensor<6xf32> loc(#loc4)
  } loc(#loc1)
  func.func @main(%arg0: tensor<6xf32> loc("call-tensors.mlir":5:17)) -> tensor<6xf32> {
    %0 = call @twice(%arg0) : (tensor<6xf32>) -> tensor<6xf32> loc(#loc7)
    %1 = call @twice(%0) : (tensor<6xf32>) -> tensor<6xf32> loc(#loc8)
    return %1 : tensor<6xf32> loc(#loc9)
  } loc(#loc5)
} loc(#loc)
#loc = loc("call-tensors.mlir":0:0)
#loc1 = loc("call-tensors.mlir":1:1)
#loc3 = loc("call-tensors.mlir":2:8)
#loc4 = loc("call-tensors.mlir":3:3)
#loc5 = loc("call-tensors.mlir":5:1)
#loc7 = loc("call-tensors.mlir":6:8)
#loc8 = loc("call-tensors.mlir":7:8)
#loc9 = loc("call-tensors.mlir":8:3)

