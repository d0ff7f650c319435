"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8xf32>, tensor<?x3xf32>, tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<?x5xf32>, tensor<?xf32>, tensor<?x6xf32>, tensor<2x2xf32>, tensor<2x4xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8xf32>, %arg1: tensor<?x3xf32>, %arg2: tensor<8x6xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 5.000000e-01 : f32}> : () -> f32
    %3 = "tensor.generate"() ({
    ^bb0(%arg5: index, %arg6: index):
      %15 = "tensor.extract"(%arg0, %arg5) : (tensor<8xf32>, index) -> f32
      %16 = "arith.addi"(%arg5, %arg6) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
      %17 = "arith.index_cast"(%16) : (index) -> i32
      %18 = "arith.sitofp"(%17) : (i32) -> f32
      %19 = "arith.addf"(%15, %18) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "tensor.yield"(%19) : (f32) -> ()
    }) : () -> tensor<8x4xf32>
    %4 = "tensor.pad"(%arg1, %1) <{operandSegmentSizes = array<i32: 1, 0, 1>, static_high = array<i64: -9223372036854775808, 1>, static_low = array<i64: 0, 1>}> ({
    ^bb0(%arg3: index, %arg4: index):
      %13 = "arith.index_cast"(%arg4) : (index) -> i32
      %14 = "arith.sitofp"(%13) : (i32) -> f32
      "tensor.yield"(%14) : (f32) -> ()
    }) : (tensor<?x3xf32>, index) -> tensor<?x5xf32>
    %5 = "tensor.collapse_shape"(%arg1) <{reassociation = [[0, 1]]}> : (tensor<?x3xf32>) -> tensor<?xf32>
    %6 = "tensor.concat"(%arg1, %arg1) <{dim = 1 : i64}> : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
    %7 = "tensor.from_elements"(%2, %2, %2, %2) : (f32, f32, f32, f32) -> tensor<2x2xf32>
    %8 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %9 = "tensor.insert"(%8, %7, %0, %1) : (f32, tensor<2x2xf32>, index, index) -> tensor<2x2xf32>
    %10 = "arith.constant"() <{value = dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>}> : () -> tensor<2x4xf32>
    %11 = "tensor.expand_shape"(%arg0) <{reassociation = [[0, 1]], static_output_shape = array<i64: 2, 4>}> : (tensor<8xf32>) -> tensor<2x4xf32>
    %12 = "arith.mulf"(%10, %11) <{fastmath = #arith.fastmath<none>}> : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%3, %4, %5, %6, %9, %12) : (tensor<8x4xf32>, tensor<?x5xf32>, tensor<?xf32>, tensor<?x6xf32>, tensor<2x2xf32>, tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
