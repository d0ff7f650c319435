#map = affine_map<(d0, d1) -> (d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32>, memref<4x8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x8xf32>, %arg1: memref<4x8xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 4 : index}> : () -> index
    %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %4 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<vector<4x8xf32>>
    %5 = "vector.type_cast"(%4) : (memref<vector<4x8xf32>>) -> memref<4xvector<8xf32>>
    "scf.for"(%0, %2, %1) ({
    ^bb0(%arg3: index):
      %10 = "vector.transfer_read"(%arg0, %arg3, %0, %3) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<4x8xf32>, index, index, f32) -> vector<8xf32>
      "memref.store"(%10, %5, %arg3) : (vector<8xf32>, memref<4xvector<8xf32>>, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %6 = "memref.load"(%4) : (memref<vector<4x8xf32>>) -> vector<4x8xf32>
    %7 = "arith.addf"(%6, %6) <{fastmath = #arith.fastmath<none>}> : (vector<4x8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %8 = "vector.extract"(%7) <{static_position = array<i64: 2>}> : (vector<4x8xf32>) -> vector<8xf32>
    "memref.store"(%7, %4) : (vector<4x8xf32>, memref<vector<4x8xf32>>) -> ()
    "memref.store"(%8, %5, %0) : (vector<8xf32>, memref<4xvector<8xf32>>, index) -> ()
    "scf.for"(%0, %2, %1) ({
    ^bb0(%arg2: index):
      %9 = "memref.load"(%5, %arg2) : (memref<4xvector<8xf32>>, index) -> vector<8xf32>
      "vector.transfer_write"(%9, %arg1, %arg2, %0) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<8xf32>, memref<4x8xf32>, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
