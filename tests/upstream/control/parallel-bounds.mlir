func.func @main(%A: memref<12x12xf32>, %B: memref<12x12xf32>) {
  affine.for %k = 0 to 12 step 5 {
    affine.parallel (%i, %j) = (max(%k - 1, 0), %k) to (min(%k + 4, 12), min(%k * 2 + 1, %k + 5, 12)) step (1, 2) {
      %a = affine.load %A[%i, %j] : memref<12x12xf32>
      affine.store %a, %B[%i, %j] : memref<12x12xf32>
    }
  }
  return
}
