func.func @main(%A: memref<5x9xf32>, %B: memref<5x9xf32>) {
  %z = arith.constant 0.0 : f32
  affine.for %i = 0 to 5 {
    %x = affine.load %A[%i, 0] : memref<5x9xf32>
    %c = arith.cmpf ogt, %x, %z : f32
    scf.if %c {
      affine.for %j = 0 to 9 {
        %a = affine.load %A[%i, %j] : memref<5x9xf32>
        %d = arith.cmpf olt, %a, %x : f32
        scf.if %d {
          affine.store %a, %B[%i, %j] : memref<5x9xf32>
        }
      }
    }
  }
  return
}
