#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<16x16xf32>, memref<16x16xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 2 : index}> : () -> index
    %2 = "arith.constant"() <{value = 3 : index}> : () -> index
    %3 = "arith.constant"() <{value = 7.000000e+00 : f32}> : () -> f32
    %4 = "vector.create_mask"(%2, %1) : (index, index) -> vector<8x4xi1>
    %5 = "vector.transfer_read"(%arg0, %2, %0, %3, %4) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 1>, permutation_map = #map}> : (memref<16x16xf32>, index, index, f32, vector<8x4xi1>) -> vector<4x8xf32>
    %6 = "vector.transpose"(%4) <{permutation = array<i64: 1, 0>}> : (vector<8x4xi1>) -> vector<4x8xi1>
    %7 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 4, 2>}> : () -> vector<4x8xi1>
    %8 = "arith.andi"(%6, %7) : (vector<4x8xi1>, vector<4x8xi1>) -> vector<4x8xi1>
    %9 = "arith.addf"(%5, %5) <{fastmath = #arith.fastmath<none>}> : (vector<4x8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    "vector.transfer_write"(%9, %arg1, %0, %0, %8) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 1, 2, 1>, permutation_map = #map1}> : (vector<4x8xf32>, memref<16x16xf32>, index, index, vector<4x8xi1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
