func.func @main(%A: tensor<12x16xf32>, %B: tensor<16x8xf32>, %C: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %0 = scf.for %i = %c0 to %c12 step %c5 iter_args(%x = %C) -> (tensor<12x8xf32>) {
    %1 = scf.for %j = %c0 to %c8 step %c4 iter_args(%y = %x) -> (tensor<12x8xf32>) {
      %n = affine.min affine_map<(d0) -> (-d0 + 12, 5)>(%i)
      %a = tensor.extract_slice %A[%i, 0] [%n, 16] [1, 1] : tensor<12x16xf32> to tensor<?x16xf32>
      %b = tensor.extract_slice %B[0, %j] [16, 4] [1, 1] : tensor<16x8xf32> to tensor<16x4xf32>
      %c = tensor.extract_slice %y[%i, %j] [%n, 4] [1, 1] : tensor<12x8xf32> to tensor<?x4xf32>
      %p = linalg.matmul ins(%a, %b : tensor<?x16xf32>, tensor<16x4xf32>) outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
      %z = tensor.insert_slice %p into %y[%i, %j] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<12x8xf32>
      scf.yield %z : tensor<12x8xf32>
    }
    scf.yield %1 : tensor<12x8xf32>
  }
  return %0 : tensor<12x8xf32>
}
