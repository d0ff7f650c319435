func.func @main(%A: tensor<4xf32>) -> tensor<4xf32> {
  %p = ub.poison : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %t = tensor.insert %p into %A[%c2] : tensor<4xf32>
  %v = tensor.extract %A[%c0] : tensor<4xf32>
  %u = tensor.insert %v into %t[%c2] : tensor<4xf32>
  return %u : tensor<4xf32>
}
