func.func @main(%A: memref<9xi32>, %n: index) {
  %p = arith.constant 1 : i32
  %q = arith.constant 2 : i32
  affine.for %i = 0 to 9 {
    %r = affine.apply affine_map<(d0)[s0] -> ((d0 + s0) mod 4)>(%i)[%n]
    scf.index_switch %r
    case 1 {
      affine.store %p, %A[%i] : memref<9xi32>
      scf.yield
    }
    case 3 {
      affine.store %q, %A[%i] : memref<9xi32>
      scf.yield
    }
    default {
    }
  }
  return
}
