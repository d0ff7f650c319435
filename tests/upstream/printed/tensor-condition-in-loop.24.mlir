#loc2 = loc("tensor-condition-in-loop.mlir":1:17)
#loc8 = loc("tensor-condition-in-loop.mlir":6:16)
#loc9 = loc("tensor-condition-in-loop.mlir":6:51)
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8xf32>) -> tensor<8xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<8xf32> loc("tensor-condition-in-loop.mlir":1:17)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc3)
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc4)
    %2 = "arith.constant"() <{value = 8 : index}> : () -> index loc(#loc5)
    %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32 loc(#loc6)
    %4 = "scf.for"(%0, %2, %1, %arg0) ({
    ^bb0(%arg1: index loc("tensor-condition-in-loop.mlir":6:16), %arg2: tensor<8xf32> loc("tensor-condition-in-loop.mlir":6:51)):
      %5 = "tensor.extract"(%arg2, %arg1) : (tensor<8xf32>, index) -> f32 loc(#loc10)
      %6 = "arith.cmpf"(%5, %3) <{fastmath = #arith.fastmath<none>, predicate = 4 : i64}> : (f32, f32) -> i1 loc(#loc11)
      %7 = "scf.if"(%6) ({
        %8 = "arith.negf"(%5) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32 loc(#loc13)
        %9 = "tensor.insert"(%8, %arg2, %arg1) : (f32, tensor<8xf32>, index) -> tensor<8xf32> loc(#loc14)
        "scf.yield"(%9) : (tensor<8xf32>) -> () loc(#loc15)
      }, {
        "scf.yield"(%arg2) : (tensor<8xf32>) -> () loc(#loc16)
      }) : (i1) -> tensor<8xf32> loc(#loc12)
      "scf.yield"(%7) : (tensor<8xf32>) -> () loc(#loc17)
    }) : (index, index, index, tensor<8xf32>) -> tensor<8xf32> loc(#loc7)
    "func.return"(%4) : (tensor<8xf32>) -> () loc(#loc18)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("tensor-condition-in-loop.mlir":0:0)
#loc1 = loc("tensor-condition-in-loop.mlir":1:1)
#loc3 = loc("tensor-condition-in-loop.mlir":2:9)
#loc4 = loc("tensor-condition-in-loop.mlir":3:9)
#loc5 = loc("tensor-condition-in-loop.mlir":4:9)
#loc6 = loc("tensor-condition-in-loop.mlir":5:11)
#loc7 = loc("tensor-condition-in-loop.mlir":6:8)
#loc10 = loc("tensor-condition-in-loop.mlir":7:10)
#loc11 = loc("tensor-condition-in-loop.mlir":8:10)
#loc12 = loc("tensor-condition-in-loop.mlir":9:10)
#loc13 = loc("tensor-condition-in-loop.mlir":10:12)
#loc14 = loc("tensor-condition-in-loop.mlir":11:12)
#loc15 = loc("tensor-condition-in-loop.mlir":12:7)
#loc16 = loc("tensor-condition-in-loop.mlir":14:7)
#loc17 = loc("tensor-condition-in-loop.mlir":16:5)
#loc18 = loc("tensor-condition-in-loop.mlir":18:3)

