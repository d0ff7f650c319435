func.func @main(%A: memref<16xf32>, %I: memref<16xi32>, %B: memref<16xf32>, %J: memref<16xi32>) {
  %z = arith.constant 0.0 : f32
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to 16 {
    %a = affine.load %A[%i] : memref<16xf32>
    %k = affine.load %I[%i] : memref<16xi32>
    %c = arith.cmpf ogt, %a, %z : f32
    %r:2 = scf.if %c -> (f32, i32) {
      %s = arith.addf %a, %a : f32
      scf.yield %s, %seven : f32, i32
    } else {
      %n = affine.load %A[15 - %i] : memref<16xf32>
      scf.yield %n, %k : f32, i32
    }
    affine.store %r#0, %B[%i] : memref<16xf32>
    affine.store %r#1, %J[%i] : memref<16xi32>
  }
  return
}
