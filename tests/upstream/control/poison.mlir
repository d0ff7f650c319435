func.func @main(%A: memref<8xf32>, %B: memref<8xf32>) {
  %p = ub.poison : f32
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 8 {
    %a = affine.load %A[%i] : memref<8xf32>
    %c = arith.cmpf olt, %zero, %zero : f32
    %s = arith.select %c, %p, %a : f32
    affine.store %s, %B[%i] : memref<8xf32>
  }
  return
}
