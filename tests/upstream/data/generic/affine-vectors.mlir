#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (8)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<8x8xf32>, memref<8x8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32>):
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 4 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg2: index):
      "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 4 : index, upperBoundMap = #map2}> ({
      ^bb0(%arg3: index):
        %0 = "affine.vector_load"(%arg0, %arg2, %arg3) <{map = #map}> : (memref<8x8xf32>, index, index) -> vector<4x4xf32>
        %1 = "vector.transpose"(%0) <{permutation = array<i64: 1, 0>}> : (vector<4x4xf32>) -> vector<4x4xf32>
        "affine.vector_store"(%1, %arg1, %arg3, %arg2) <{map = #map}> : (vector<4x4xf32>, memref<8x8xf32>, index, index) -> ()
        "affine.yield"() : () -> ()
      }) : () -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
