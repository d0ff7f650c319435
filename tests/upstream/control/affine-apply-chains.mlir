#half = affine_map<(d0, d1) -> ((d0 * 2 - d1) floordiv 2)>
#up = affine_map<(d0) -> (d0 ceildiv 3)>
#mix = affine_map<(d0, d1)[s0] -> (d0 mod 5 + d1 * 2 + s0)>
func.func @main(%A: memref<40xf32>, %B: memref<40xf32>, %k: index) {
  affine.for %i = 0 to 12 {
    affine.for %j = affine_map<(d0) -> (d0 floordiv 2)>(%i) to affine_map<(d0) -> (d0 floordiv 2 + 2)>(%i) {
      %a = affine.apply #half(%i, %j)
      %b = affine.apply #up(%i)
      %c = affine.apply #mix(%a, %b)[%k]
      %x = affine.load %A[symbol(%k) + %c mod 7] : memref<40xf32>
      affine.store %x, %B[%i * 3 + %j mod 3] : memref<40xf32>
    }
  }
  return
}
