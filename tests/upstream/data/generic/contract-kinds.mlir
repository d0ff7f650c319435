#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, memref<8xf32>, memref<4xf32>, memref<f32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: memref<8xf32>, %arg2: memref<4xf32>, %arg3: memref<f32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "vector.load"(%arg0, %0, %0) : (memref<4x8xf32>, index, index) -> vector<4x8xf32>
    %2 = "vector.load"(%arg1, %0) : (memref<8xf32>, index) -> vector<8xf32>
    %3 = "vector.load"(%arg2, %0) : (memref<4xf32>, index) -> vector<4xf32>
    %4 = "vector.contract"(%1, %2, %3) <{fastmath = #arith.fastmath<none>, indexing_maps = [#map, #map1, #map2], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<maximumf>}> : (vector<4x8xf32>, vector<8xf32>, vector<4xf32>) -> vector<4xf32>
    "vector.store"(%4, %arg2, %0) : (vector<4xf32>, memref<4xf32>, index) -> ()
    %5 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %6 = "vector.contract"(%2, %2, %5) <{fastmath = #arith.fastmath<none>, indexing_maps = [#map3, #map3, #map4], iterator_types = [#vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<8xf32>, vector<8xf32>, f32) -> f32
    "memref.store"(%6, %arg3) : (f32, memref<f32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
