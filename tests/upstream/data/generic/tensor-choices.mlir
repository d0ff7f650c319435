"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xi32>) -> (tensor<3x4xf32>, tensor<3x4xi32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3x4xi32>):
    %0 = "arith.cmpf"(%arg0, %arg1) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>
    %1 = "arith.constant"() <{value = dense<0> : tensor<3x4xi32>}> : () -> tensor<3x4xi32>
    %2 = "arith.cmpi"(%arg2, %1) <{predicate = 2 : i64}> : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
    %3 = "arith.andi"(%0, %2) : (tensor<3x4xi1>, tensor<3x4xi1>) -> tensor<3x4xi1>
    %4 = "arith.select"(%3, %arg0, %arg1) : (tensor<3x4xi1>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    %5 = "arith.extui"(%0) : (tensor<3x4xi1>) -> tensor<3x4xi32>
    "func.return"(%4, %5) : (tensor<3x4xf32>, tensor<3x4xi32>) -> ()
  }) : () -> ()
}) : () -> ()

