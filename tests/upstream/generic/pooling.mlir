#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x8x8x3xf32>) -> (tensor<1x4x4x3xf32>, tensor<1x6x6x3xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x8x8x3xf32>):
    %0 = "arith.constant"() <{value = 0xFF800000 : f32}> : () -> f32
    %1 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %2 = "tensor.empty"() : () -> tensor<2x2xf32>
    %3 = "tensor.empty"() : () -> tensor<3x3xf32>
    %4 = "tensor.empty"() : () -> tensor<1x4x4x3xf32>
    %5 = "linalg.fill"(%0, %4) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg9: f32, %arg10: f32):
      "linalg.yield"(%arg9) : (f32) -> ()
    }) : (f32, tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %6 = "linalg.pooling_nhwc_max"(%arg0, %2, %5) <{dilations = dense<1> : vector<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<2> : vector<2xi64>}> ({
    ^bb0(%arg6: f32, %arg7: f32, %arg8: f32):
      %11 = "arith.maximumf"(%arg8, %arg6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%11) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map, #map1, #map2]} : (tensor<1x8x8x3xf32>, tensor<2x2xf32>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %7 = "tensor.empty"() : () -> tensor<1x6x6x3xf32>
    %8 = "linalg.fill"(%1, %7) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      "linalg.yield"(%arg4) : (f32) -> ()
    }) : (f32, tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
    %9 = "linalg.pooling_nhwc_sum"(%arg0, %3, %8) <{dilations = dense<1> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg1: f32, %arg2: f32, %arg3: f32):
      %10 = "arith.addf"(%arg3, %arg1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%10) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map3, #map1, #map2]} : (tensor<1x8x8x3xf32>, tensor<3x3xf32>, tensor<1x6x6x3xf32>) -> tensor<1x6x6x3xf32>
    "func.return"(%6, %9) : (tensor<1x4x4x3xf32>, tensor<1x6x6x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

