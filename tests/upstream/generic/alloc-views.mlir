#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (6)>
#map3 = affine_map<() -> (4)>
#map4 = affine_map<(d0) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x6xf32>, memref<24xf32>, memref<2x2x6xf32>) -> memref<6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x6xf32>, %arg1: memref<24xf32>, %arg2: memref<2x2x6xf32>):
    %0 = "arith.constant"() <{value = 2.000000e+00 : f32}> : () -> f32
    %1 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4x6xf32>
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map3}> ({
    ^bb0(%arg4: index):
      "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
      ^bb0(%arg5: index):
        %8 = "affine.load"(%arg0, %arg4, %arg5) <{map = #map}> : (memref<4x6xf32>, index, index) -> f32
        %9 = "arith.mulf"(%8, %0) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "affine.store"(%9, %1, %arg4, %arg5) <{map = #map}> : (f32, memref<4x6xf32>, index, index) -> ()
        "affine.yield"() : () -> ()
      }) : () -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    %2 = "memref.collapse_shape"(%1) <{reassociation = [[0, 1]]}> : (memref<4x6xf32>) -> memref<24xf32>
    "memref.copy"(%2, %arg1) : (memref<24xf32>, memref<24xf32>) -> ()
    %3 = "memref.expand_shape"(%1) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 2, 6>}> : (memref<4x6xf32>) -> memref<2x2x6xf32>
    "memref.copy"(%3, %arg2) : (memref<2x2x6xf32>, memref<2x2x6xf32>) -> ()
    %4 = "memref.cast"(%1) : (memref<4x6xf32>) -> memref<?x6xf32>
    %5 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<6xf32>
    %6 = "arith.constant"() <{value = 3 : index}> : () -> index
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg3: index):
      %7 = "memref.load"(%4, %6, %arg3) : (memref<?x6xf32>, index, index) -> f32
      "affine.store"(%7, %5, %arg3) <{map = #map4}> : (f32, memref<6xf32>, index) -> ()
      "affine.yield"() : () -> ()
    }) : () -> ()
    "func.return"(%5) : (memref<6xf32>) -> ()
  }) : () -> ()
}) : () -> ()

