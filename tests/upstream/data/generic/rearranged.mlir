"builtin.module"() ({
  "func.func"() <{function_type = (memref<4xi32>, memref<4xi32>, memref<8xi32>, memref<4xi32>, memref<4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: memref<8xi32>, %arg3: memref<4xi32>, %arg4: memref<4xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "vector.load"(%arg0, %0) : (memref<4xi32>, index) -> vector<4xi32>
    %2 = "vector.load"(%arg1, %0) : (memref<4xi32>, index) -> vector<4xi32>
    %3 = "vector.interleave"(%1, %2) : (vector<4xi32>, vector<4xi32>) -> vector<8xi32>
    "vector.store"(%3, %arg2, %0) : (vector<8xi32>, memref<8xi32>, index) -> ()
    %4:2 = "vector.deinterleave"(%3) : (vector<8xi32>) -> (vector<4xi32>, vector<4xi32>)
    %5 = "arith.subi"(%4#1, %4#0) <{overflowFlags = #arith.overflow<none>}> : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
    %6:4 = "vector.to_elements"(%5) : (vector<4xi32>) -> (i32, i32, i32, i32)
    %7 = "vector.from_elements"(%6#3, %6#1, %6#2, %6#0) : (i32, i32, i32, i32) -> vector<4xi32>
    %8 = "vector.step"() : () -> vector<4xindex>
    %9 = "arith.index_cast"(%8) : (vector<4xindex>) -> vector<4xi32>
    %10 = "arith.addi"(%7, %9) <{overflowFlags = #arith.overflow<none>}> : (vector<4xi32>, vector<4xi32>) -> vector<4xi32>
    "vector.store"(%10, %arg3, %0) : (vector<4xi32>, memref<4xi32>, index) -> ()
    %11 = "vector.bitcast"(%10) : (vector<4xi32>) -> vector<4xf32>
    %12 = "vector.bitcast"(%11) : (vector<4xf32>) -> vector<4xi32>
    %13 = "arith.sitofp"(%12) : (vector<4xi32>) -> vector<4xf32>
    "vector.store"(%13, %arg4, %0) : (vector<4xf32>, memref<4xf32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
