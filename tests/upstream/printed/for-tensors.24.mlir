#loc2 = loc("for-tensors.mlir":1:17)
#loc8 = loc("for-tensors.mlir":6:16)
#loc9 = loc("for-tensors.mlir":6:51)
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8xf32>) -> tensor<8xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8xf32> loc("for-tensors.mlir":1:17)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc3)
    %1 = "arith.constant"() <{value = 8 : index}> : () -> index loc(#loc4)
    %2 = "arith.constant"() <{value = 4 : index}> : () -> index loc(#loc5)
    %3 = "tensor.empty"() : () -> tensor<8xf32> loc(#loc6)
    %4 = "scf.for"(%0, %1, %2, %3) ({
    ^bb0(%arg1: index loc("for-tensors.mlir":6:16), %arg2: tensor<8xf32> loc("for-tensors.mlir":6:51)):
      %5 = "tensor.extract_slice"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<8xf32>, index) -> tensor<4xf32> loc(#loc10)
      %6 = "tensor.insert_slice"(%5, %arg2, %arg1) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xf32>, tensor<8xf32>, index) -> tensor<8xf32> loc(#loc11)
      "scf.yield"(%6) : (tensor<8xf32>) -> () loc(#loc12)
    }) : (index, index, index, tensor<8xf32>) -> tensor<8xf32> loc(#loc7)
    "func.return"(%4) : (tensor<8xf32>) -> () loc(#loc13)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("for-tensors.mlir":0:0)
#loc1 = loc("for-tensors.mlir":1:1)
#loc3 = loc("for-tensors.mlir":2:9)
#loc4 = loc("for-tensors.mlir":3:9)
#loc5 = loc("for-tensors.mlir":4:9)
#loc6 = loc("for-tensors.mlir":5:8)
#loc7 = loc("for-tensors.mlir":6:8)
#loc10 = loc("for-tensors.mlir":7:10)
#loc11 = loc("for-tensors.mlir":8:10)
#loc12 = loc("for-tensors.mlir":9:5)
#loc13 = loc("for-tensors.mlir":11:3)

