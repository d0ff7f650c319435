"builtin.module"() ({
  "func.func"() <{function_type = (memref<8xf32>, memref<8xi32>, memref<8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<8xf32>, %arg1: memref<8xi32>, %arg2: memref<8xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = dense<0> : vector<8xi32>}> : () -> vector<8xi32>
    %2 = "vector.load"(%arg1, %0) : (memref<8xi32>, index) -> vector<8xi32>
    %3 = "arith.cmpi"(%2, %1) <{predicate = 4 : i64}> : (vector<8xi32>, vector<8xi32>) -> vector<8xi1>
    %4 = "vector.load"(%arg2, %0) : (memref<8xf32>, index) -> vector<8xf32>
    %5 = "vector.maskedload"(%arg0, %0, %3, %4) : (memref<8xf32>, index, vector<8xi1>, vector<8xf32>) -> vector<8xf32>
    %6 = "arith.addf"(%5, %4) <{fastmath = #arith.fastmath<none>}> : (vector<8xf32>, vector<8xf32>) -> vector<8xf32>
    "vector.maskedstore"(%arg2, %0, %3, %6) : (memref<8xf32>, index, vector<8xi1>, vector<8xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
