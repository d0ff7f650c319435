func.func @main(%A: memref<3x8xf32>, %B: memref<3x8xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 3 {
    %x = affine.load %A[%i, 0] : memref<3x8xf32>
    %c = arith.cmpf oge, %x, %zero : f32
    %v = scf.if %c -> (vector<8xf32>) {
      %a = vector.load %A[%i, %c0] : memref<3x8xf32>, vector<8xf32>
      scf.yield %a : vector<8xf32>
    } else {
      %o = vector.broadcast %x : f32 to vector<8xf32>
      scf.yield %o : vector<8xf32>
    }
    vector.store %v, %B[%i, %c0] : memref<3x8xf32>, vector<8xf32>
  }
  return
}
