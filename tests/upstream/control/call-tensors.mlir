func.func private @twice(%a: tensor<6xf32>) -> tensor<6xf32> {
  %0 = arith.addf %a, %a : tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func @main(%A: tensor<6xf32>) -> tensor<6xf32> {
  %0 = call @twice(%A) : (tensor<6xf32>) -> tensor<6xf32>
  %1 = call @twice(%0) : (tensor<6xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}
