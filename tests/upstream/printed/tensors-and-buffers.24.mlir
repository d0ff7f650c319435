#loc2 = loc("tensors-and-buffers.mlir":1:17)
#loc3 = loc("tensors-and-buffers.mlir":1:36)
"builtin.module"() ({
  "func.func"() <{function_type = (memref<6xf32>, memref<6xf32>) -> tensor<6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: memref<6xf32> loc("tensors-and-buffers.mlir":1:17), %arg1: memref<6xf32> loc("tensors-and-buffers.mlir":1:36)):
    %0 = "bufferization.to_tensor"(%arg0) <{restrict}> : (memref<6xf32>) -> tensor<6xf32> loc(#loc4)
    %1 = "arith.addf"(%0, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32> loc(#loc5)
    "bufferization.materialize_in_destination"(%1, %arg1) <{restrict, writable}> : (tensor<6xf32>, memref<6xf32>) -> () loc(#loc6)
    %2 = "bufferization.alloc_tensor"(%1) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<6xf32>) -> tensor<6xf32> loc(#loc7)
    %3 = "arith.mulf"(%2, %0) <{fastmath = #arith.fastmath<none>}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32> loc(#loc8)
    "func.return"(%3) : (tensor<6xf32>) -> () loc(#loc9)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("tensors-and-buffers.mlir":0:0)
#loc1 = loc("tensors-and-buffers.mlir":1:1)
#loc4 = loc("tensors-and-buffers.mlir":2:8)
#loc5 = loc("tensors-and-buffers.mlir":3:8)
#loc6 = loc("tensors-and-buffers.mlir":4:3)
#loc7 = loc("tensors-and-buffers.mlir":5:8)
#loc8 = loc("tensors-and-buffers.mlir":6:8)
#loc9 = loc("tensors-and-buffers.mlir":7:3)

