#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, memref<4xf32>, memref<f32>, memref<f32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: memref<4xf32>, %arg2: memref<f32>, %arg3: memref<f32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 7 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %3 = "vector.transfer_read"(%arg0, %0, %0, %2) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<4x8xf32>, index, index, f32) -> vector<4x8xf32>
    %4 = "arith.constant"() <{value = dense<1.000000e+00> : vector<4xf32>}> : () -> vector<4xf32>
    %5 = "vector.multi_reduction"(%3, %4) <{kind = #vector.kind<add>, reduction_dims = array<i64: 1>}> : (vector<4x8xf32>, vector<4xf32>) -> vector<4xf32>
    %6 = "vector.create_mask"(%0, %1) : (index, index) -> vector<4x8xi1>
    %7 = "vector.mask"(%6) ({
      %11 = "vector.multi_reduction"(%3, %5) <{kind = #vector.kind<mul>, reduction_dims = array<i64: 1>}> : (vector<4x8xf32>, vector<4xf32>) -> vector<4xf32>
      "vector.yield"(%11) : (vector<4xf32>) -> ()
    }) : (vector<4x8xi1>) -> vector<4xf32>
    "vector.transfer_write"(%7, %arg1, %0) <{in_bounds = [false], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = #map1}> : (vector<4xf32>, memref<4xf32>, index) -> ()
    %8 = "vector.reduction"(%5) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<maximumf>}> : (vector<4xf32>) -> f32
    "memref.store"(%8, %arg2) : (f32, memref<f32>) -> ()
    %9 = "vector.multi_reduction"(%3, %2) <{kind = #vector.kind<minimumf>, reduction_dims = array<i64: 0, 1>}> : (vector<4x8xf32>, f32) -> f32
    %10 = "vector.reduction"(%5, %9) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<4xf32>, f32) -> f32
    "memref.store"(%10, %arg3) : (f32, memref<f32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
