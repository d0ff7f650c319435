func.func @main(%A: tensor<8x12xf32>, %B: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %0 = scf.forall (%i) = (0) to (8) step (2) shared_outs(%o = %B) -> (tensor<8x12xf32>) {
    %s = tensor.extract_slice %A[%i, 0] [1, 12] [1, 1] : tensor<8x12xf32> to tensor<1x12xf32>
    %t = tensor.extract_slice %o[%i, 0] [1, 12] [1, 1] : tensor<8x12xf32> to tensor<1x12xf32>
    %r = arith.addf %s, %t : tensor<1x12xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %o[%i, 0] [1, 12] [1, 1] : tensor<1x12xf32> into tensor<8x12xf32>
    }
  }
  return %0 : tensor<8x12xf32>
}
