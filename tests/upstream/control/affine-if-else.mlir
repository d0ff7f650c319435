func.func @main(%A: memref<9xi32>, %n: index) {
  %p = arith.constant 1 : i32
  %q = arith.constant 2 : i32
  affine.for %i = 0 to 9 {
    affine.if affine_set<(d0)[s0] : (d0 mod 2 == 0, s0 - d0 - 1 >= 0)>(%i)[%n] {
      affine.store %p, %A[%i] : memref<9xi32>
    } else {
      affine.if affine_set<(d0) : (d0 - 4 >= 0)>(%i) {
        affine.store %q, %A[%i] : memref<9xi32>
      }
    }
  }
  return
}
