"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8x6xf32>, tensor<2x2x4x4xf32>, tensor<8x6xf32>) -> (tensor<2x2x4x4xf32>, tensor<8x6xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8x6xf32>, %arg1: tensor<2x2x4x4xf32>, %arg2: tensor<8x6xf32>):
    %0 = "arith.constant"() <{value = 5.000000e-01 : f32}> : () -> f32
    %1 = "linalg.pack"(%arg0, %arg1, %0) <{inner_dims_pos = array<i64: 1, 0>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64: 4, 4>}> : (tensor<8x6xf32>, tensor<2x2x4x4xf32>, f32) -> tensor<2x2x4x4xf32>
    %2 = "linalg.unpack"(%1, %arg2) <{inner_dims_pos = array<i64: 1, 0>, outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64: 4, 4>}> : (tensor<2x2x4x4xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
    "func.return"(%1, %2) : (tensor<2x2x4x4xf32>, tensor<8x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
