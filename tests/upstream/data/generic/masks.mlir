#map = affine_map<(d0) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32>, memref<?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?xf32>, %arg1: memref<?xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %2 = "memref.dim"(%arg0, %0) : (memref<?xf32>, index) -> index
    %3 = "vector.create_mask"(%2) : (index) -> vector<8xi1>
    %4 = "vector.mask"(%3) ({
      %9 = "vector.transfer_read"(%arg0, %0, %1) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = #map}> : (memref<?xf32>, index, f32) -> vector<8xf32>
      "vector.yield"(%9) : (vector<8xf32>) -> ()
    }) : (vector<8xi1>) -> vector<8xf32>
    %5 = "vector.constant_mask"() <{mask_dim_sizes = array<i64: 3>}> : () -> vector<8xi1>
    %6 = "arith.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : vector<8xf32>}> : () -> vector<8xf32>
    %7 = "arith.select"(%5, %4, %6) : (vector<8xi1>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
    %8 = "vector.fma"(%4, %7, %4) : (vector<8xf32>, vector<8xf32>, vector<8xf32>) -> vector<8xf32>
    "vector.mask"(%3) ({
      "vector.transfer_write"(%8, %arg1, %0) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = #map}> : (vector<8xf32>, memref<?xf32>, index) -> ()
      "vector.yield"() : () -> ()
    }) : (vector<8xi1>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
