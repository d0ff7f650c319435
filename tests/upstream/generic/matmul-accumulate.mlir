#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<9x12xf32>, tensor<12x10xf32>, tensor<9x10xf32>) -> tensor<9x10xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<9x12xf32>, %arg1: tensor<12x10xf32>, %arg2: tensor<9x10xf32>):
    %0 = "linalg.matmul"(%arg0, %arg1, %arg2) <{indexing_maps = [#map, #map1, #map2], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %1 = "arith.mulf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %2 = "arith.addf"(%arg5, %1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%2) : (f32) -> ()
    }) : (tensor<9x12xf32>, tensor<12x10xf32>, tensor<9x10xf32>) -> tensor<9x10xf32>
    "func.return"(%0) : (tensor<9x10xf32>) -> ()
  }) : () -> ()
}) : () -> ()

