func.func @main(%A: memref<12xf32>, %B: memref<12xf32>) {
  affine.for %i = -6 to 6 step 5 {
    affine.for %j = affine_map<(d0) -> (d0 - 1)>(%i) to affine_map<(d0) -> (d0 + 3)>(%i) {
      affine.if affine_set<(d0) : (d0 + 6 >= 0, -d0 + 5 >= 0)>(%j) {
        %a = affine.load %A[%j + 6] : memref<12xf32>
        affine.store %a, %B[-%j + 5] : memref<12xf32>
      }
    }
  }
  return
}
