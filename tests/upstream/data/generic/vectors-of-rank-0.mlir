#map = affine_map<() -> ()>
#map1 = affine_map<(d0) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<f32>, memref<4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<f32>, %arg1: memref<4xf32>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %1 = "vector.transfer_read"(%arg0, %0) <{in_bounds = [], operandSegmentSizes = array<i32: 1, 0, 1, 0>, permutation_map = #map}> : (memref<f32>, f32) -> vector<f32>
    %2 = "vector.extract"(%1) <{static_position = array<i64>}> : (vector<f32>) -> f32
    %3 = "vector.broadcast"(%1) : (vector<f32>) -> vector<4xf32>
    %4 = "arith.constant"() <{value = 0 : index}> : () -> index
    "vector.transfer_write"(%3, %arg1, %4) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = #map1}> : (vector<4xf32>, memref<4xf32>, index) -> ()
    %5 = "arith.addf"(%2, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
    %6 = "vector.broadcast"(%5) : (f32) -> vector<f32>
    "vector.transfer_write"(%6, %arg0) <{in_bounds = [], operandSegmentSizes = array<i32: 1, 1, 0, 0>, permutation_map = #map}> : (vector<f32>, memref<f32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
