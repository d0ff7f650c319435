#loc2 = loc("forall-tensor.mlir":1:17)
#loc3 = loc("forall-tensor.mlir":1:39)
#loc5 = loc("forall-tensor.mlir":2:20)
#loc6 = loc("forall-tensor.mlir":2:58)
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8x12xf32>, tensor<8x12xf32>) -> tensor<8x12xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8x12xf32> loc("forall-tensor.mlir":1:17), %arg1: tensor<8x12xf32> loc("forall-tensor.mlir":1:39)):
    %0 = "scf.forall"(%arg1) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 2>, staticUpperBound = array<i64: 8>}> ({
    ^bb0(%arg2: index loc("forall-tensor.mlir":2:20), %arg3: tensor<8x12xf32> loc("forall-tensor.mlir":2:58)):
      %1 = "tensor.extract_slice"(%arg0, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 12>, static_strides = array<i64: 1, 1>}> : (tensor<8x12xf32>, index) -> tensor<1x12xf32> loc(#loc7)
      %2 = "tensor.extract_slice"(%arg3, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 12>, static_strides = array<i64: 1, 1>}> : (tensor<8x12xf32>, index) -> tensor<1x12xf32> loc(#loc8)
      %3 = "arith.addf"(%1, %2) <{fastmath = #arith.fastmath<none>}> : (tensor<1x12xf32>, tensor<1x12xf32>) -> tensor<1x12xf32> loc(#loc9)
      "scf.forall.in_parallel"() ({
        "tensor.parallel_insert_slice"(%3, %arg3, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 12>, static_strides = array<i64: 1, 1>}> : (tensor<1x12xf32>, tensor<8x12xf32>, index) -> () loc(#loc11)
      }) : () -> () loc(#loc10)
    }) : (tensor<8x12xf32>) -> tensor<8x12xf32> loc(#loc4)
    "func.return"(%0) : (tensor<8x12xf32>) -> () loc(#loc12)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("forall-tensor.mlir":0:0)
#loc1 = loc("forall-tensor.mlir":1:1)
#loc4 = loc("forall-tensor.mlir":2:8)
#loc7 = loc("forall-tensor.mlir":3:10)
#loc8 = loc("forall-tensor.mlir":4:10)
#loc9 = loc("forall-tensor.mlir":5:10)
#loc10 = loc("forall-tensor.mlir":6:5)
#loc11 = loc("forall-tensor.mlir":7:7)
#loc12 = loc("forall-tensor.mlir":10:3)

