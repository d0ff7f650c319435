func.func @main(%A: memref<16xf32>, %B: memref<16xf32>, %C: memref<16xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xf32>
    %c = arith.cmpf ogt, %a, %z : f32
    scf.if %c {
      affine.store %a, %B[%i] : memref<16xf32>
    } else {
      %n = arith.negf %a : f32
      affine.store %n, %C[%i] : memref<16xf32>
    }
  }
  return
}
