#map = affine_map<(d0, d1) -> (d0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x?xf32>, memref<?x?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 4 : index}> : () -> index
    %3 = "arith.constant"() <{value = 8 : index}> : () -> index
    %4 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %5 = "memref.dim"(%arg0, %0) : (memref<?x?xf32>, index) -> index
    %6 = "memref.dim"(%arg0, %1) : (memref<?x?xf32>, index) -> index
    "scf.for"(%0, %5, %2) ({
    ^bb0(%arg2: index):
      "scf.for"(%0, %6, %3) ({
      ^bb0(%arg3: index):
        %7 = "vector.transfer_read"(%arg0, %arg2, %arg3, %4) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 2, 1, 0>, permutation_map = #map}> : (memref<?x?xf32>, index, index, f32) -> vector<4x8xf32>
        %8 = "math.exp"(%7) <{fastmath = #arith.fastmath<none>}> : (vector<4x8xf32>) -> vector<4x8xf32>
        "vector.transfer_write"(%8, %arg1, %arg2, %arg3) <{in_bounds = [false, false], operandSegmentSizes = array<i32: 1, 1, 2, 0>, permutation_map = #map}> : (vector<4x8xf32>, memref<?x?xf32>, index, index) -> ()
        "scf.yield"() : () -> ()
      }) : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
