#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<() -> (0)>
#map3 = affine_map<(d0) -> (d0 + 1)>
#map4 = affine_map<() -> (12)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<12x12xf32>, memref<12xf32>, memref<12xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<12x12xf32>, %arg1: memref<12xf32>, %arg2: memref<12xf32>):
    "affine.for"() <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map4}> ({
    ^bb0(%arg3: index):
      "affine.for"(%arg3) <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 0, 1, 0>, step = 1 : index, upperBoundMap = #map3}> ({
      ^bb0(%arg4: index):
        %0 = "affine.load"(%arg0, %arg3, %arg4) <{map = #map}> : (memref<12x12xf32>, index, index) -> f32
        %1 = "affine.load"(%arg1, %arg4) <{map = #map1}> : (memref<12xf32>, index) -> f32
        %2 = "arith.mulf"(%0, %1) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %3 = "affine.load"(%arg2, %arg3) <{map = #map1}> : (memref<12xf32>, index) -> f32
        %4 = "arith.addf"(%3, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "affine.store"(%4, %arg2, %arg3) <{map = #map1}> : (f32, memref<12xf32>, index) -> ()
        "affine.yield"() : () -> ()
      }) : (index) -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

