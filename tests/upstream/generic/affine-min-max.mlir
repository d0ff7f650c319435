#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0, 5)>
#map2 = affine_map<(d0) -> (d0 + 16, 47)>
#map3 = affine_map<() -> (0)>
#map4 = affine_map<() -> (50)>
#map5 = affine_map<(d0) -> (d0 + 3, 40)>
#map6 = affine_map<(d0) -> (d0, 10)>
#map7 = affine_map<(d0) -> (d0 floordiv 2)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<50xf32>, memref<50xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<50xf32>, %arg1: memref<50xf32>):
    %0 = "arith.constant"() <{value = 2.000000e+00 : f32}> : () -> f32
    "affine.for"() <{lowerBoundMap = #map3, operandSegmentSizes = array<i32: 0, 0, 0>, step = 16 : index, upperBoundMap = #map4}> ({
    ^bb0(%arg3: index):
      "affine.for"(%arg3, %arg3) <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 1, 1, 0>, step = 1 : index, upperBoundMap = #map2}> ({
      ^bb0(%arg4: index):
        %7 = "affine.load"(%arg0, %arg4) <{map = #map}> : (memref<50xf32>, index) -> f32
        %8 = "arith.mulf"(%7, %0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "affine.store"(%8, %arg1, %arg4) <{map = #map}> : (f32, memref<50xf32>, index) -> ()
        "affine.yield"() : () -> ()
      }) : (index, index) -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    "affine.for"() <{lowerBoundMap = #map3, operandSegmentSizes = array<i32: 0, 0, 0>, step = 7 : index, upperBoundMap = #map4}> ({
    ^bb0(%arg2: index):
      %1 = "affine.min"(%arg2) <{map = #map5}> : (index) -> index
      %2 = "affine.max"(%arg2) <{map = #map6}> : (index) -> index
      %3 = "affine.apply"(%arg2) <{map = #map7}> : (index) -> index
      %4 = "memref.load"(%arg0, %1) : (memref<50xf32>, index) -> f32
      %5 = "memref.load"(%arg0, %2) : (memref<50xf32>, index) -> f32
      %6 = "arith.subf"(%4, %5) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "memref.store"(%6, %arg1, %3) : (f32, memref<50xf32>, index) -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

