#loc2 = loc("if-tensors.mlir":1:17)
#loc3 = loc("if-tensors.mlir":1:36)
#loc4 = loc("if-tensors.mlir":1:55)
module {
  func.func @main(%arg0: tensor<6xf32> loc("if-tensors.mlir":1:17), %arg1: tensor<6xf32> loc("if-tensors.mlir":1:36), %arg2: index loc("if-tensors.mlir":1:55)) -> tensor<6xf32> {
    %c3 = arith.constant 3 : index loc(#loc5)
    %0 = arith.cmpi slt, %arg2, %c3 : index loc(#loc6)
    %1 = scf.if %0 -> (tensor<6xf32>) {
      %2 = arith.addf %arg0, %arg1 : tensor<6xf32> loc(#loc8)
      scf.yield %2 : tensor<6xf32> loc(#loc9)
    } else {
      scf.yield %arg1 : tensor<6xf32> loc(#loc10)
    } loc(#loc7)
    return %1 : tensor<6xf32> loc(#loc11)
  } loc(#loc1)
} loc(#loc)
#loc = loc("if-tensors.mlir":0:0)
#loc1 = loc("if-tensors.mlir":1:1)
#loc5 = loc("if-tensors.mlir":2:9)
#loc6 = loc("if-tensors.mlir":3:8)
#loc7 = loc("if-tensors.mlir":4:8)
#loc8 = loc("if-tensors.mlir":5:10)
#loc9 = loc("if-tensors.mlir":6:5)
#loc10 = loc("if-tensors.mlir":8:5)
#loc11 = loc("if-tensors.mlir":10:3)

