func.func @main(%A: tensor<6xf32>, %B: tensor<6xf32>, %n: index) -> tensor<6xf32> {
  %c3 = arith.constant 3 : index
  %c = arith.cmpi slt, %n, %c3 : index
  %0 = scf.if %c -> (tensor<6xf32>) {
    %s = arith.addf %A, %B : tensor<6xf32>
    scf.yield %s : tensor<6xf32>
  } else {
    scf.yield %B : tensor<6xf32>
  }
  return %0 : tensor<6xf32>
}
