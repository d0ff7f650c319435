"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xf32>, memref<8xf32>, memref<4x8xf32>, memref<4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4xf32>, %arg1: memref<8xf32>, %arg2: memref<4x8xf32>, %arg3: memref<4xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 2 : index}> : () -> index
    %2 = "vector.load"(%arg0, %0) : (memref<4xf32>, index) -> vector<4xf32>
    %3 = "vector.load"(%arg1, %0) : (memref<8xf32>, index) -> vector<8xf32>
    %4 = "vector.load"(%arg2, %0, %0) : (memref<4x8xf32>, index, index) -> vector<4x8xf32>
    %5 = "vector.outerproduct"(%2, %3, %4) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    %6 = "vector.outerproduct"(%2, %3) <{kind = #vector.kind<add>}> : (vector<4xf32>, vector<8xf32>) -> vector<4x8xf32>
    %7 = "vector.create_mask"(%1, %1) : (index, index) -> vector<4x8xi1>
    %8 = "vector.mask"(%7) ({
      %12 = "vector.outerproduct"(%2, %3, %5) <{kind = #vector.kind<mul>}> : (vector<4xf32>, vector<8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
      "vector.yield"(%12) : (vector<4x8xf32>) -> ()
    }) : (vector<4x8xi1>) -> vector<4x8xf32>
    %9 = "arith.addf"(%6, %8) <{fastmath = #arith.fastmath<none>}> : (vector<4x8xf32>, vector<4x8xf32>) -> vector<4x8xf32>
    "vector.store"(%9, %arg2, %0, %0) : (vector<4x8xf32>, memref<4x8xf32>, index, index) -> ()
    %10 = "vector.extract"(%3) <{static_position = array<i64: 3>}> : (vector<8xf32>) -> f32
    %11 = "vector.outerproduct"(%2, %10, %2) <{kind = #vector.kind<maximumf>}> : (vector<4xf32>, f32, vector<4xf32>) -> vector<4xf32>
    "vector.store"(%11, %arg3, %0) : (vector<4xf32>, memref<4xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
