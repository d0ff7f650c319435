func.func @main(%A: tensor<6xi32>) -> (tensor<6xi32>, i32) {
  %zero = arith.constant 0 : i32
  %r:2 = affine.for %i = 0 to 6 iter_args(%s = %zero, %x = %A) -> (i32, tensor<6xi32>) {
    %v = tensor.extract %A[%i] : tensor<6xi32>
    %t = arith.addi %s, %v : i32
    %y = tensor.insert %t into %x[%i] : tensor<6xi32>
    affine.yield %t, %y : i32, tensor<6xi32>
  }
  return %r#1, %r#0 : tensor<6xi32>, i32
}
