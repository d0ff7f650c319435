"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6x8xf32>, tensor<2x3xf32>) -> (tensor<3x4xf32>, tensor<6x8xf32>, tensor<48xf32>, tensor<8x10xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6x8xf32>, %arg1: tensor<2x3xf32>):
    %0 = "arith.constant"() <{value = -1.000000e+00 : f32}> : () -> f32
    %1 = "tensor.extract_slice"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1, 0>, static_sizes = array<i64: 3, 4>, static_strides = array<i64: 1, 2>}> : (tensor<6x8xf32>) -> tensor<3x4xf32>
    %2 = "tensor.insert_slice"(%arg1, %arg0) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>, static_offsets = array<i64: 2, 4>, static_sizes = array<i64: 2, 3>, static_strides = array<i64: 1, 1>}> : (tensor<2x3xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
    %3 = "tensor.collapse_shape"(%arg0) <{reassociation = [[0, 1]]}> : (tensor<6x8xf32>) -> tensor<48xf32>
    %4 = "tensor.pad"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_high = array<i64: 1, 0>, static_low = array<i64: 1, 2>}> ({
    ^bb0(%arg2: index, %arg3: index):
      "tensor.yield"(%0) : (f32) -> ()
    }) : (tensor<6x8xf32>) -> tensor<8x10xf32>
    "func.return"(%1, %2, %3, %4) : (tensor<3x4xf32>, tensor<6x8xf32>, tensor<48xf32>, tensor<8x10xf32>) -> ()
  }) : () -> ()
}) : () -> ()

