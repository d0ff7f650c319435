func.func @main(%A: memref<?x?xf32>, %B: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %A, %c0 : memref<?x?xf32>
  %m = memref.dim %A, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %n {
    affine.for %j = max affine_map<(d0)[s0] -> (0, d0 - s0)>(%i)[%c1] to min affine_map<(d0)[s0] -> (d0 + 2, s0)>(%i)[%m] {
      %a = affine.load %A[%i, symbol(%m) - 1 - %j] : memref<?x?xf32>
      affine.store %a, %B[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
