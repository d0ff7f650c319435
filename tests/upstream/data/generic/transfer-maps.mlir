#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16x16xf32>, memref<16x16xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 3 : index}> : () -> index
    %2 = "arith.constant"() <{value = 7.000000e+00 : f32}> : () -> f32
    %3 = "vector.transfer_read"(%arg0, %1, %0, %2) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<16x16xf32>, index, index, f32) -> vector<4x16xf32>
    %4 = "vector.transfer_read"(%arg0, %0, %1, %2) <{in_bounds = [true, false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map1}> : (memref<16x16xf32>, index, index, f32) -> vector<4x16xf32>
    %5 = "arith.addf"(%3, %4) <{fastmath = #arith.fastmath<none>}> : (vector<4x16xf32>, vector<4x16xf32>) -> vector<4x16xf32>
    "vector.transfer_write"(%5, %arg1, %1, %0) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<4x16xf32>, memref<16x16xf32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
