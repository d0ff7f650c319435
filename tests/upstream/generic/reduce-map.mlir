"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5x9xf32>) -> (tensor<5xf32>, tensor<9xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5x9xf32>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %2 = "tensor.empty"() : () -> tensor<5xf32>
    %3 = "linalg.fill"(%0, %2) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      "linalg.yield"(%arg9) : (f32) -> ()
    }) : (f32, tensor<5xf32>) -> tensor<5xf32>
    %4 = "linalg.reduce"(%arg0, %3) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg7: f32, %arg8: f32):
      %13 = "arith.addf"(%arg8, %arg7) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%13) : (f32) -> ()
    }) : (tensor<5x9xf32>, tensor<5xf32>) -> tensor<5xf32>
    %5 = "tensor.empty"() : () -> tensor<9xf32>
    %6 = "linalg.fill"(%1, %5) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      "linalg.yield"(%arg5) : (f32) -> ()
    }) : (f32, tensor<9xf32>) -> tensor<9xf32>
    %7 = "linalg.reduce"(%arg0, %6) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      %11 = "math.absf"(%arg3) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %12 = "arith.maximumf"(%11, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%12) : (f32) -> ()
    }) : (tensor<5x9xf32>, tensor<9xf32>) -> tensor<9xf32>
    %8 = "tensor.empty"() : () -> tensor<9xf32>
    %9 = "linalg.map"(%7, %8) ({
    ^bb0(%arg1: f32, %arg2: f32):
      %10 = "math.sqrt"(%arg1) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "linalg.yield"(%10) : (f32) -> ()
    }) : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xf32>
    "func.return"(%4, %9) : (tensor<5xf32>, tensor<9xf32>) -> ()
  }) : () -> ()
}) : () -> ()

