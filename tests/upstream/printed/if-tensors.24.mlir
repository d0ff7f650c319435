#loc2 = loc("if-tensors.mlir":1:17)
#loc3 = loc("if-tensors.mlir":1:36)
#loc4 = loc("if-tensors.mlir":1:55)
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6xf32>, tensor<6xf32>, index) -> tensor<6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6xf32> loc("if-tensors.mlir":1:17), %arg1: tensor<6xf32> loc("if-tensors.mlir":1:36), %arg2: index loc("if-tensors.mlir":1:55)):
    %0 = "arith.constant"() <{value = 3 : index}> : () -> index loc(#loc5)
    %1 = "arith.cmpi"(%arg2, %0) <{predicate = 2 : i64}> : (index, index) -> i1 loc(#loc6)
    %2 = "scf.if"(%1) ({
      %3 = "arith.addf"(%arg0, %arg1) <{fastmath = #arith.fastmath<none>}> : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32> loc(#loc8)
      "scf.yield"(%3) : (tensor<6xf32>) -> () loc(#loc9)
    }, {
      "scf.yield"(%arg1) : (tensor<6xf32>) -> () loc(#loc10)
    }) : (i1) -> tensor<6xf32> loc(#loc7)
    "func.return"(%2) : (tensor<6xf32>) -> () loc(#loc11)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("if-tensors.mlir":0:0)
#loc1 = loc("if-tensors.mlir":1:1)
#loc5 = loc("if-tensors.mlir":2:9)
#loc6 = loc("if-tensors.mlir":3:8)
#loc7 = loc("if-tensors.mlir":4:8)
#loc8 = loc("if-tensors.mlir":5:10)
#loc9 = loc("if-tensors.mlir":6:5)
#loc10 = loc("if-tensors.mlir":8:5)
#loc11 = loc("if-tensors.mlir":10:3)

