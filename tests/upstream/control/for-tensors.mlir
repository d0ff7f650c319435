func.func @main(%t: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%acc = %e) -> (tensor<8xf32>) {
    %s = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %o = tensor.insert_slice %s into %acc[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %o : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}
