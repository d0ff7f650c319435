#map = affine_map<(d0, d1) -> (d1, d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16x16xf32>, memref<4x4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<16x16xf32>, %arg1: memref<4x4xf32>):
    %0 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2, 3>, static_sizes = array<i64: 4, 4>, static_strides = array<i64: 2, 1>}> : (memref<16x16xf32>) -> memref<4x4xf32, strided<[32, 1], offset: 35>>
    "memref.copy"(%0, %arg1) : (memref<4x4xf32, strided<[32, 1], offset: 35>>, memref<4x4xf32>) -> ()
    %1 = "memref.transpose"(%arg1) <{permutation = #map}> : (memref<4x4xf32>) -> memref<4x4xf32, strided<[1, 4]>>
    %2 = "memref.subview"(%1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 1>, static_sizes = array<i64: 4, 1>, static_strides = array<i64: 1, 1>}> : (memref<4x4xf32, strided<[1, 4]>>) -> memref<4xf32, strided<[1], offset: 4>>
    %3 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    "linalg.fill"(%3, %2) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg4: f32, %arg5: f32):
      "linalg.yield"(%arg4) : (f32) -> ()
    }) : (f32, memref<4xf32, strided<[1], offset: 4>>) -> ()
    %4 = "memref.expand_shape"(%arg1) <{reassociation = [[0, 1], [2]], static_output_shape = array<i64: 2, 2, 4>}> : (memref<4x4xf32>) -> memref<2x2x4xf32>
    %5 = "memref.collapse_shape"(%4) <{reassociation = [[0, 1, 2]]}> : (memref<2x2x4xf32>) -> memref<16xf32>
    %6 = "memref.subview"(%5) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 10>, static_sizes = array<i64: 6>, static_strides = array<i64: 1>}> : (memref<16xf32>) -> memref<6xf32, strided<[1], offset: 10>>
    %7 = "arith.constant"() <{value = 2.000000e+00 : f32}> : () -> f32
    "linalg.fill"(%7, %6) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      "linalg.yield"(%arg2) : (f32) -> ()
    }) : (f32, memref<6xf32, strided<[1], offset: 10>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
