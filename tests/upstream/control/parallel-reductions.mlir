func.func @main(%A: memref<6x10xf32>, %I: memref<6x10xi32>, %S: memref<2xf32>, %T: memref<3xi32>) {
  %0:2 = affine.parallel (%i, %j) = (0, 0) to (6, 10) step (1, 2) reduce ("maximumf", "minimumf") -> (f32, f32) {
    %a = affine.load %A[%i, %j] : memref<6x10xf32>
    affine.yield %a, %a : f32, f32
  }
  affine.store %0#0, %S[0] : memref<2xf32>
  affine.store %0#1, %S[1] : memref<2xf32>
  %1:3 = affine.parallel (%i, %j) = (0, 0) to (6, 10) reduce ("addi", "maxs", "xori") -> (i32, i32, i32) {
    %a = affine.load %I[%i, %j] : memref<6x10xi32>
    affine.yield %a, %a, %a : i32, i32, i32
  }
  affine.store %1#0, %T[0] : memref<3xi32>
  affine.store %1#1, %T[1] : memref<3xi32>
  affine.store %1#2, %T[2] : memref<3xi32>
  return
}
