#map = affine_map<(d0) -> (d0 - 1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0) -> (d0 + 1)>
#map3 = affine_map<() -> (1)>
#map4 = affine_map<() -> (33)>
#map5 = affine_map<() -> (0)>
#map6 = affine_map<() -> (3)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<34xf32>, memref<34xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<34xf32>, %arg1: memref<34xf32>):
    %0 = "arith.constant"() <{value = 0.333333343 : f32}> : () -> f32
    "affine.for"() <{lowerBoundMap = #map5, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map6}> ({
    ^bb0(%arg2: index):
      "affine.for"() <{lowerBoundMap = #map3, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map4}> ({
      ^bb0(%arg4: index):
        %2 = "affine.load"(%arg0, %arg4) <{map = #map}> : (memref<34xf32>, index) -> f32
        %3 = "affine.load"(%arg0, %arg4) <{map = #map1}> : (memref<34xf32>, index) -> f32
        %4 = "affine.load"(%arg0, %arg4) <{map = #map2}> : (memref<34xf32>, index) -> f32
        %5 = "arith.addf"(%2, %3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %6 = "arith.addf"(%5, %4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        %7 = "arith.mulf"(%6, %0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "affine.store"(%7, %arg1, %arg4) <{map = #map1}> : (f32, memref<34xf32>, index) -> ()
        "affine.yield"() : () -> ()
      }) : () -> ()
      "affine.for"() <{lowerBoundMap = #map3, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map4}> ({
      ^bb0(%arg3: index):
        %1 = "affine.load"(%arg1, %arg3) <{map = #map1}> : (memref<34xf32>, index) -> f32
        "affine.store"(%1, %arg0, %arg3) <{map = #map1}> : (f32, memref<34xf32>, index) -> ()
        "affine.yield"() : () -> ()
      }) : () -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

