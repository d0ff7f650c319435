#loc2 = loc("forall-tensor.mlir":1:17)
#loc3 = loc("forall-tensor.mlir":1:39)
module {
  func.func @main(%arg0: tensor<8x12xf32> loc("forall-tensor.mlir":1:17), %arg1: tensor<8x12xf32> loc("forall-tensor.mlir":1:39)) -> tensor<8x12xf32> {
    %0 = scf.forall (%arg2) = (0) to (8) step (2) shared_outs(%arg3 = %arg1) -> (tensor<8x12xf32>) {
      %extracted_slice = tensor.extract_slice %arg0[%arg2, 0] [1, 12] [1, 1] : tensor<8x12xf32> to tensor<1x12xf32> loc(#loc5)
      %extracted_slice_0 = tensor.extract_slice %arg3[%arg2, 0] [1, 12] [1, 1] : tensor<8x12xf32> to tensor<1x12xf32> loc(#loc6)
      %1 = arith.addf %extracted_slice, %extracted_slice_0 : tensor<1x12xf32> loc(#loc7)
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %1 into %arg3[%arg2, 0] [1, 12] [1, 1] : tensor<1x12xf32> into tensor<8x12xf32> loc(#loc9)
      } loc(#loc8)
    } loc(#loc4)
    return %0 : tensor<8x12xf32> loc(#loc10)
  } loc(#loc1)
} loc(#loc)
#loc = loc("forall-tensor.mlir":0:0)
#loc1 = loc("forall-tensor.mlir":1:1)
#loc4 = loc("forall-tensor.mlir":2:8)
#loc5 = loc("forall-tensor.mlir":3:10)
#loc6 = loc("forall-tensor.mlir":4:10)
#loc7 = loc("forall-tensor.mlir":5:10)
#loc8 = loc("forall-tensor.mlir":6:5)
#loc9 = loc("forall-tensor.mlir":7:7)
#loc10 = loc("forall-tensor.mlir":10:3)

