#loc2 = loc("affine-for-tensors.mlir":1:17)
#loc5 = loc("affine-for-tensors.mlir":3:21)
module {
  func.func @main(%arg0: tensor<6xi32> loc("affine-for-tensors.mlir":1:17)) -> (tensor<6xi32>, i32) {
    %c0_i32 = arith.constant 0 : i32 loc(#loc3)
    %0:2 = affine.for %arg1 loc("affine-for-tensors.mlir":3:21) = 0 to 6 iter_args(%arg2 = %c0_i32, %arg3 = %arg0) -> (i32, tensor<6xi32>) {
      %extracted = tensor.extract %arg0[%arg1] : tensor<6xi32> loc(#loc6)
      %1 = arith.addi %arg2, %extracted : i32 loc(#loc7)
      %inserted = tensor.insert %1 into %arg3[%arg1] : tensor<6xi32> loc(#loc8)
      affine.yield %1, %inserted : i32, tensor<6xi32> loc(#loc9)
    } loc(#loc4)
    return %0#1, %0#0 : tensor<6xi32>, i32 loc(#loc10)
  } loc(#loc1)
} loc(#loc)
#loc = loc("affine-for-tensors.mlir":0:0)
#loc1 = loc("affine-for-tensors.mlir":1:1)
#loc3 = loc("affine-for-tensors.mlir":2:11)
#loc4 = loc("affine-for-tensors.mlir":3:10)
#loc6 = loc("affine-for-tensors.mlir":4:10)
#loc7 = loc("affine-for-tensors.mlir":5:10)
#loc8 = loc("affine-for-tensors.mlir":6:10)
#loc9 = loc("affine-for-tensors.mlir":7:5)
#loc10 = loc("affine-for-tensors.mlir":9:3)

