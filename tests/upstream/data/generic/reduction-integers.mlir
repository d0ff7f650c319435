"builtin.module"() ({
  "func.func"() <{function_type = (memref<8xi32>, memref<8xi32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<8xi32>, %arg1: memref<8xi32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "vector.load"(%arg0, %0) : (memref<8xi32>, index) -> vector<8xi32>
    %2 = "vector.reduction"(%1) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<add>}> : (vector<8xi32>) -> i32
    %3 = "vector.reduction"(%1) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<mul>}> : (vector<8xi32>) -> i32
    %4 = "vector.reduction"(%1) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<minui>}> : (vector<8xi32>) -> i32
    %5 = "vector.reduction"(%1) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<minsi>}> : (vector<8xi32>) -> i32
    %6 = "vector.reduction"(%1) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<maxui>}> : (vector<8xi32>) -> i32
    %7 = "vector.reduction"(%1) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<maxsi>}> : (vector<8xi32>) -> i32
    %8 = "vector.reduction"(%1) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<and>}> : (vector<8xi32>) -> i32
    %9 = "vector.reduction"(%1, %8) <{fastmath = #arith.fastmath<none>, kind = #vector.kind<xor>}> : (vector<8xi32>, i32) -> i32
    %10 = "vector.from_elements"(%2, %3, %4, %5, %6, %7, %8, %9) : (i32, i32, i32, i32, i32, i32, i32, i32) -> vector<8xi32>
    "vector.store"(%10, %arg1, %0) : (vector<8xi32>, memref<8xi32>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
