func.func @main(%A: memref<4x6xf32>, %R: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %p = scf.parallel (%j) = (%c0) to (%c6) step (%c1) init (%one) -> f32 {
      %a = memref.load %A[%i, %j] : memref<4x6xf32>
      scf.reduce(%a : f32) {
      ^bb0(%x: f32, %y: f32):
        %m = arith.mulf %x, %y : f32
        scf.reduce.return %m : f32
      }
    }
    memref.store %p, %R[%i] : memref<4xf32>
    scf.reduce
  }
  return
}
