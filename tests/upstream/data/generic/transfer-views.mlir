#map = affine_map<(d0, d1) -> (d0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16x16xf32>, memref<4x4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<16x16xf32>, %arg1: memref<4x4xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 5.000000e+00 : f32}> : () -> f32
    %2 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2, 3>, static_sizes = array<i64: 3, 4>, static_strides = array<i64: 2, 1>}> : (memref<16x16xf32>) -> memref<3x4xf32, strided<[32, 1], offset: 35>>
    %3 = "vector.transfer_read"(%2, %0, %0, %1) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<3x4xf32, strided<[32, 1], offset: 35>>, index, index, f32) -> vector<4x4xf32>
    "vector.transfer_write"(%3, %arg1, %0, %0) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<4x4xf32>, memref<4x4xf32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
