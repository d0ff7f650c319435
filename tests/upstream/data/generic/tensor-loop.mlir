"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 8 : index}> : () -> index
    %3 = "arith.constant"() <{value = 2.000000e+00 : f32}> : () -> f32
    %4:2 = "scf.for"(%0, %2, %1, %arg0, %arg1) ({
    ^bb0(%arg2: index, %arg3: tensor<8x8xf32>, %arg4: tensor<8x8xf32>):
      %5 = "tensor.extract_slice"(%arg3, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 8>, static_strides = array<i64: 1, 1>}> : (tensor<8x8xf32>, index) -> tensor<8xf32>
      %6 = "tensor.empty"() : () -> tensor<8xf32>
      %7 = "linalg.fill"(%3, %6) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg8: f32, %arg9: f32):
        "linalg.yield"(%arg8) : (f32) -> ()
      }) : (f32, tensor<8xf32>) -> tensor<8xf32>
      %8 = "linalg.mul"(%5, %7, %6) <{operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg5: f32, %arg6: f32, %arg7: f32):
        %11 = "arith.mulf"(%arg5, %arg6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "linalg.yield"(%11) : (f32) -> ()
      }) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
      %9 = "tensor.insert_slice"(%8, %arg3, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, 8>, static_strides = array<i64: 1, 1>}> : (tensor<8xf32>, tensor<8x8xf32>, index) -> tensor<8x8xf32>
      %10 = "tensor.insert_slice"(%5, %arg4, %arg2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 8, 1>, static_strides = array<i64: 1, 1>}> : (tensor<8xf32>, tensor<8x8xf32>, index) -> tensor<8x8xf32>
      "scf.yield"(%10, %9) : (tensor<8x8xf32>, tensor<8x8xf32>) -> ()
    }) : (index, index, index, tensor<8x8xf32>, tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
    "func.return"(%4#0, %4#1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()
