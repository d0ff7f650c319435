func.func @main(%A: tensor<5xf32>, %B: tensor<5xf32>, %n: index) -> (tensor<5xf32>, tensor<5xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %A, %s = %zero, %y = %B) -> (tensor<5xf32>, f32, tensor<5xf32>) {
    %v = tensor.extract %x[%c1] : tensor<5xf32>
    %w = tensor.insert %s into %y[%c0] : tensor<5xf32>
    %t = arith.addf %s, %v : f32
    scf.yield %w, %t, %x : tensor<5xf32>, f32, tensor<5xf32>
  }
  return %r#0, %r#2, %r#1 : tensor<5xf32>, tensor<5xf32>, f32
}
