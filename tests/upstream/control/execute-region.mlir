func.func @main(%A: memref<6xf32>, %B: memref<6xf32>) {
  affine.for %i = 0 to 6 {
    %v = scf.execute_region -> f32 {
      %a = affine.load %A[%i] : memref<6xf32>
      %b = arith.mulf %a, %a : f32
      scf.yield %b : f32
    }
    affine.store %v, %B[%i] : memref<6xf32>
  }
  return
}
