func.func @main(%A: memref<12xi32>, %B: memref<12xi32>) {
  %three = arith.constant 3 : index
  affine.for %i = 0 to 12 {
    %r = arith.remui %i, %three : index
    %a = affine.load %A[%i] : memref<12xi32>
    %v = scf.index_switch %r -> i32
    case 0 {
      %d = arith.addi %a, %a : i32
      scf.yield %d : i32
    }
    case 2 {
      %c7 = arith.constant 7 : i32
      scf.yield %c7 : i32
    }
    default {
      scf.yield %a : i32
    }
    affine.store %v, %B[%i] : memref<12xi32>
  }
  return
}
