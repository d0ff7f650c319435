#map = affine_map<(d0, d1) -> (d0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 3 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %3 = "vector.transfer_read"(%arg0, %0, %0, %2) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (tensor<4x8xf32>, index, index, f32) -> vector<4x8xf32>
    %4 = "arith.addf"(%3, %3) <{fastmath = #arith.fastmath<none>}> : (vector<4x8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %5 = "vector.create_mask"(%1, %1) : (index, index) -> vector<4x8xi1>
    %6 = "vector.mask"(%5) ({
      %8 = "vector.transfer_write"(%4, %arg1, %0, %0) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<4x8xf32>, tensor<4x8xf32>, index, index) -> tensor<4x8xf32>
      "vector.yield"(%8) : (tensor<4x8xf32>) -> ()
    }) : (vector<4x8xi1>) -> tensor<4x8xf32>
    %7 = "vector.transfer_write"(%4, %6, %1, %0) <{in_bounds = [false, true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<4x8xf32>, tensor<4x8xf32>, index, index) -> tensor<4x8xf32>
    "func.return"(%7) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()
