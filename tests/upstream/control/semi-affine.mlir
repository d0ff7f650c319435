#floor = affine_map<(d0)[s0] -> (d0 floordiv s0)>
#rest = affine_map<(d0)[s0] -> (d0 mod s0)>
#flat = affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>
#up = affine_map<(d0)[s0] -> (d0 ceildiv s0)>
func.func @main(%A: memref<24xf32>, %B: memref<24xf32>, %C: memref<24xi32>, %k: index) {
  affine.for %i = 0 to 24 {
    %q = affine.apply #floor(%i)[%k]
    %r = affine.apply #rest(%i)[%k]
    %j = affine.apply #flat(%q, %r)[%k]
    %a = memref.load %A[%j] : memref<24xf32>
    affine.store %a, %B[%i] : memref<24xf32>
    %u = affine.apply #up(%i)[%k]
    %c = arith.index_cast %u : index to i32
    affine.store %c, %C[%i] : memref<24xi32>
  }
  return
}
