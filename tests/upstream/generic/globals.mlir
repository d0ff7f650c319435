#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
"builtin.module"() ({
  "memref.global"() <{constant, initial_value = dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00], [-1.000000e+00, -2.000000e+00, -3.000000e+00, -4.000000e+00]]> : tensor<3x4xf32>, sym_name = "weights", sym_visibility = "private", type = memref<3x4xf32>}> : () -> ()
  "memref.global"() <{constant, initial_value = dense<1> : tensor<4xi32>, sym_name = "ones", sym_visibility = "private", type = memref<4xi32>}> : () -> ()
  "func.func"() <{function_type = (memref<4xf32>, memref<3xf32>, memref<4xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: memref<3xf32>, %arg2: memref<4xi32>):
    %0 = "memref.get_global"() <{name = @weights}> : () -> memref<3x4xf32>
    %1 = "memref.get_global"() <{name = @ones}> : () -> memref<4xi32>
    "linalg.matvec"(%0, %arg0, %arg1) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %2 = "arith.mulf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %3 = "arith.addf"(%arg5, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%3) : (f32) -> ()
    }) {linalg.memoized_indexing_maps = [#map, #map1, #map2]} : (memref<3x4xf32>, memref<4xf32>, memref<3xf32>) -> ()
    "memref.copy"(%1, %arg2) : (memref<4xi32>, memref<4xi32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

