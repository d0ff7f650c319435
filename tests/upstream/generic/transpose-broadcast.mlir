"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<6x4xf32>, tensor<5x6xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<6xf32>):
    %0 = "tensor.empty"() : () -> tensor<6x4xf32>
    %1 = "linalg.transpose"(%arg0, %0) <{permutation = array<i64: 1, 0>}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      "linalg.yield"(%arg4) : (f32) -> ()
    }) : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<6x4xf32>
    %2 = "tensor.empty"() : () -> tensor<5x6xf32>
    %3 = "linalg.broadcast"(%arg1, %2) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      "linalg.yield"(%arg2) : (f32) -> ()
    }) : (tensor<6xf32>, tensor<5x6xf32>) -> tensor<5x6xf32>
    "func.return"(%1, %3) : (tensor<6x4xf32>, tensor<5x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()

