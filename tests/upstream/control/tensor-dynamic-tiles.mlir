#min = affine_map<(d0)[s0] -> (4, -d0 + s0)>
func.func @main(%A: tensor<?x6xf32>, %B: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %A, %c0 : tensor<?x6xf32>
  %e = tensor.empty(%n) : tensor<?x6xf32>
  %r = scf.for %i = %c0 to %n step %c4 iter_args(%x = %e) -> (tensor<?x6xf32>) {
    %h = affine.min #min(%i)[%n]
    %a = tensor.extract_slice %A[%i, 0] [%h, 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
    %b = tensor.extract_slice %B[%i, 0] [%h, 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
    %o = tensor.extract_slice %x[%i, 0] [%h, 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
    %s = linalg.map { arith.addf } ins(%a, %b : tensor<?x6xf32>, tensor<?x6xf32>) outs(%o : tensor<?x6xf32>)
    %w = tensor.insert_slice %s into %x[%i, 0] [%h, 6] [1, 1] : tensor<?x6xf32> into tensor<?x6xf32>
    scf.yield %w : tensor<?x6xf32>
  }
  return %r : tensor<?x6xf32>
}
