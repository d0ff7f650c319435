#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> ()>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<7x10xf32>, memref<10xf32>, memref<7x10xf32>, memref<7x10xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<7x10xf32>, %arg1: memref<10xf32>, %arg2: memref<7x10xf32>, %arg3: memref<7x10xf32>):
    %0 = "arith.constant"() <{value = 5.000000e-01 : f32}> : () -> f32
    "linalg.generic"(%arg0, %arg1, %0, %arg2, %arg3) <{indexing_maps = [#map, #map1, #map2, #map, #map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 2>}> ({
    ^bb0(%arg4: f32, %arg5: f32, %arg6: f32, %arg7: f32, %arg8: f32):
      %1 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
      %2 = "arith.addf"(%arg4, %arg5) <{fastmath = #arith.fastmath<contract>}> : (f32, f32) -> f32
      %3 = "arith.maximumf"(%2, %1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %4 = "math.tanh"(%2) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      %5 = "arith.mulf"(%4, %arg6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %6 = "linalg.index"() <{dim = 1 : i64}> : () -> index
      %7 = "arith.index_cast"(%6) : (index) -> i32
      %8 = "arith.sitofp"(%7) : (i32) -> f32
      %9 = "arith.addf"(%5, %8) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%3, %9) : (f32, f32) -> ()
    }) : (memref<7x10xf32>, memref<10xf32>, f32, memref<7x10xf32>, memref<7x10xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

