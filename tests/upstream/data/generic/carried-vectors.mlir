#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<() -> (0)>
#map3 = affine_map<() -> (3)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<9x8xf32>, memref<8xf32>, memref<2x4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<9x8xf32>, %arg1: memref<8xf32>, %arg2: memref<2x4xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 9 : index}> : () -> index
    %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %4 = "arith.constant"() <{value = dense<0.000000e+00> : vector<1x8xf32>}> : () -> vector<1x8xf32>
    %5 = "arith.constant"() <{value = dense<1.000000e+00> : vector<1x8xf32>}> : () -> vector<1x8xf32>
    %6:3 = "scf.for"(%0, %2, %1, %4, %5, %3) ({
    ^bb0(%arg5: index, %arg6: vector<1x8xf32>, %arg7: vector<1x8xf32>, %arg8: f32):
      %14 = "vector.transfer_read"(%arg0, %arg5, %0, %3) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<9x8xf32>, index, index, f32) -> vector<1x8xf32>
      %15 = "arith.addf"(%arg6, %14) <{fastmath = #arith.fastmath<none>}> : (vector<1x8xf32>, vector<1x8xf32>) -> vector<1x8xf32>
      %16 = "arith.addf"(%arg8, %3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "scf.yield"(%arg7, %15, %16) : (vector<1x8xf32>, vector<1x8xf32>, f32) -> ()
    }) : (index, index, index, vector<1x8xf32>, vector<1x8xf32>, f32) -> (vector<1x8xf32>, vector<1x8xf32>, f32)
    %7 = "arith.subf"(%6#0, %6#1) <{fastmath = #arith.fastmath<none>}> : (vector<1x8xf32>, vector<1x8xf32>) -> vector<1x8xf32>
    %8 = "vector.shape_cast"(%7) : (vector<1x8xf32>) -> vector<8xf32>
    "vector.transfer_write"(%8, %arg1, %0) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = #map1}> : (vector<8xf32>, memref<8xf32>, index) -> ()
    %9 = "vector.shape_cast"(%8) : (vector<8xf32>) -> vector<2x4xf32>
    %10 = "affine.for"(%9) <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 0, 0, 1>, step = 1 : index, upperBoundMap = #map3}> ({
    ^bb0(%arg3: index, %arg4: vector<2x4xf32>):
      %11 = "vector.extract"(%arg4) <{static_position = array<i64: 1>}> : (vector<2x4xf32>) -> vector<4xf32>
      %12 = "vector.insert"(%11, %arg4) <{static_position = array<i64: 0>}> : (vector<4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
      %13 = "arith.addf"(%12, %9) <{fastmath = #arith.fastmath<none>}> : (vector<2x4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
      "affine.yield"(%13) : (vector<2x4xf32>) -> ()
    }) : (vector<2x4xf32>) -> vector<2x4xf32>
    "vector.transfer_write"(%10, %arg2, %0, %0) <{in_bounds = [true, true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<2x4xf32>, memref<2x4xf32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
