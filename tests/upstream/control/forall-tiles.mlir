#min = affine_map<(d0) -> (5, -d0 + 12)>
func.func @main(%A: tensor<12x16xf32>, %B: tensor<16x8xf32>, %C: tensor<12x8xf32>) -> tensor<12x8xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = scf.forall (%i, %j) = (0, 0) to (12, 8) step (5, 4) shared_outs(%o = %C) -> (tensor<12x8xf32>) {
    %n = affine.min #min(%i)
    %a = tensor.extract_slice %A[%i, 0] [%n, 16] [1, 1] : tensor<12x16xf32> to tensor<?x16xf32>
    %b = tensor.extract_slice %B[0, %j] [16, 4] [1, 1] : tensor<16x8xf32> to tensor<16x4xf32>
    %c = tensor.extract_slice %o[%i, %j] [%n, 4] [1, 1] : tensor<12x8xf32> to tensor<?x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
    %p = linalg.matmul ins(%a, %b : tensor<?x16xf32>, tensor<16x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %p into %o[%i, %j] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<12x8xf32>
    }
  }
  return %0 : tensor<12x8xf32>
}
