"builtin.module"() ({
  "func.func"() <{function_type = (vector<2x4xf32>, vector<4xf32>) -> (vector<2x4xf32>, vector<2xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: vector<2x4xf32>, %arg1: vector<4xf32>):
    %0 = "vector.broadcast"(%arg1) : (vector<4xf32>) -> vector<2x4xf32>
    %1 = "arith.mulf"(%arg0, %0) <{fastmath = #arith.fastmath<none>}> : (vector<2x4xf32>, vector<2x4xf32>) -> vector<2x4xf32>
    %2 = "arith.constant"() <{value = dense<0.000000e+00> : vector<2xf32>}> : () -> vector<2xf32>
    %3 = "vector.multi_reduction"(%1, %2) <{kind = #vector.kind<add>, reduction_dims = array<i64: 1>}> : (vector<2x4xf32>, vector<2xf32>) -> vector<2xf32>
    "func.return"(%1, %3) : (vector<2x4xf32>, vector<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
