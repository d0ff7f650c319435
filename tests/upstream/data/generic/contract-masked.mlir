#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, memref<8xf32>, memref<4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: memref<8xf32>, %arg2: memref<4xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 3 : index}> : () -> index
    %2 = "arith.constant"() <{value = 5 : index}> : () -> index
    %3 = "vector.load"(%arg0, %0, %0) : (memref<4x8xf32>, index, index) -> vector<4x8xf32>
    %4 = "vector.load"(%arg1, %0) : (memref<8xf32>, index) -> vector<8xf32>
    %5 = "vector.load"(%arg2, %0) : (memref<4xf32>, index) -> vector<4xf32>
    %6 = "vector.create_mask"(%1, %2) : (index, index) -> vector<4x8xi1>
    %7 = "vector.mask"(%6) ({
      %8 = "vector.contract"(%3, %4, %5) <{fastmath = #arith.fastmath<none>, indexing_maps = [#map, #map1, #map2], iterator_types = [#vector.iterator_type<parallel>, #vector.iterator_type<reduction>], kind = #vector.kind<add>}> : (vector<4x8xf32>, vector<8xf32>, vector<4xf32>) -> vector<4xf32>
      "vector.yield"(%8) : (vector<4xf32>) -> ()
    }) : (vector<4x8xi1>) -> vector<4xf32>
    "vector.store"(%7, %arg2, %0) : (vector<4xf32>, memref<4xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
