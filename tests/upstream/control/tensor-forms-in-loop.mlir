func.func @main(%A: tensor<4x3xf32>, %n: index) -> (tensor<6x7xf32>, tensor<12xf32>, tensor<2x2x3xf32>, tensor<8x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %k = arith.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [0.0, 1.0, 0.0]]> : tensor<4x3xf32>
  %two = arith.constant dense<2.0> : tensor<4x3xf32>
  %x = scf.for %i = %c0 to %n step %c1 iter_args(%y = %A) -> (tensor<4x3xf32>) {
    %p = arith.mulf %y, %two : tensor<4x3xf32>
    %q = arith.addf %p, %k : tensor<4x3xf32>
    scf.yield %q : tensor<4x3xf32>
  }
  %pad = tensor.pad %x low[1, 2] high[1, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<4x3xf32> to tensor<6x7xf32>
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %deep = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 2, 3] : tensor<4x3xf32> into tensor<2x2x3xf32>
  %both = tensor.concat dim(0) %x, %A : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  return %pad, %flat, %deep, %both : tensor<6x7xf32>, tensor<12xf32>, tensor<2x2x3xf32>, tensor<8x3xf32>
}
