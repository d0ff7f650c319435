#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xi32>):
    %0:2 = "linalg.generic"(%arg0, %arg1, %arg2) <{indexing_maps = [#map, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 2>}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: i32):
      %1 = "linalg.index"() <{dim = 1 : i64}> : () -> index
      %2 = "arith.index_cast"(%1) : (index) -> i32
      %3 = "arith.cmpf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f32, f32) -> i1
      %4 = "arith.select"(%3, %arg3, %arg4) : (i1, f32, f32) -> f32
      %5 = "arith.select"(%3, %2, %arg5) : (i1, i32, i32) -> i32
      "linalg.yield"(%4, %5) : (f32, i32) -> ()
    }) : (tensor<4x8xf32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
    "func.return"(%0#0, %0#1) : (tensor<4xf32>, tensor<4xi32>) -> ()
  }) : () -> ()
}) : () -> ()
