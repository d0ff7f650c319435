#map = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5 * 2, d3 + d6 * 2)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<2x3x9x9xf32>, memref<4x3x3x3xf32>, memref<2x4x5x5xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<2x3x9x9xf32>, %arg1: memref<4x3x3x3xf32>, %arg2: memref<2x4x5x5xf32>):
    "linalg.conv_2d_nchw_fchw"(%arg0, %arg1, %arg2) <{dilations = dense<2> : tensor<2xi64>, operandSegmentSizes = array<i32: 2, 1>, strides = dense<1> : tensor<2xi64>}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %0 = "arith.mulf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %1 = "arith.addf"(%arg5, %0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%1) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map, #map1, #map2]} : (memref<2x3x9x9xf32>, memref<4x3x3x3xf32>, memref<2x4x5x5xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

