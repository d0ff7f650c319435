#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x5x7xf64>, tensor<3x7x6xf64>) -> tensor<3x5x6xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x5x7xf64>, %arg1: tensor<3x7x6xf64>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f64}> : () -> f64
    %1 = "tensor.empty"() : () -> tensor<3x5x6xf64>
    %2 = "linalg.fill"(%0, %1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: f64, %arg6: f64):
      "linalg.yield"(%arg5) : (f64) -> ()
    }) : (f64, tensor<3x5x6xf64>) -> tensor<3x5x6xf64>
    %3 = "linalg.batch_matmul"(%arg0, %arg1, %2) <{indexing_maps = [#map, #map1, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg2: f64, %arg3: f64, %arg4: f64):
      %4 = "arith.mulf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %5 = "arith.addf"(%arg4, %4) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%5) : (f64) -> ()
    }) : (tensor<3x5x7xf64>, tensor<3x7x6xf64>, tensor<3x5x6xf64>) -> tensor<3x5x6xf64>
    "func.return"(%3) : (tensor<3x5x6xf64>) -> ()
  }) : () -> ()
}) : () -> ()

