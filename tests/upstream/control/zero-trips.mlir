func.func @main(%A: memref<?xf32>, %n: index) -> f32 {
  %one = arith.constant 1.0 : f32
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  %0 = scf.for %i = %c5 to %n step %c2 iter_args(%s = %one) -> (f32) {
    %a = memref.load %A[%i] : memref<?xf32>
    %t = arith.addf %s, %a : f32
    scf.yield %t : f32
  }
  %1 = affine.for %i = 3 to %n step 4 iter_args(%s = %0) -> (f32) {
    %a = affine.load %A[%i] : memref<?xf32>
    %t = arith.mulf %s, %a : f32
    affine.yield %t : f32
  }
  return %1 : f32
}
