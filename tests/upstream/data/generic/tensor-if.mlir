"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 4 : index}> : () -> index
    %3 = "arith.constant"() <{value = 2 : index}> : () -> index
    %4 = "scf.for"(%0, %2, %1, %arg0) ({
    ^bb0(%arg2: index, %arg3: tensor<4x4xf32>):
      %5 = "arith.cmpi"(%arg2, %3) <{predicate = 2 : i64}> : (index, index) -> i1
      %6 = "scf.if"(%5) ({
        %8 = "tensor.extract"(%arg1, %arg2, %arg2) : (tensor<4x4xf32>, index, index) -> f32
        %9 = "tensor.insert"(%8, %arg3, %arg2, %0) : (f32, tensor<4x4xf32>, index, index) -> tensor<4x4xf32>
        "scf.yield"(%9) : (tensor<4x4xf32>) -> ()
      }, {
        "scf.yield"(%arg3) : (tensor<4x4xf32>) -> ()
      }) : (i1) -> tensor<4x4xf32>
      %7 = "arith.addf"(%6, %arg1) <{fastmath = #arith.fastmath<none>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      "scf.yield"(%7) : (tensor<4x4xf32>) -> ()
    }) : (index, index, index, tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%4) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
