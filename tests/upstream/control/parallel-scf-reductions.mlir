func.func @main(%A: memref<7x9xf32>, %R: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %c9 = arith.constant 9 : index
  %r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%c7, %c9) step (%c2, %c1) init (%zero, %low) -> (f32, f32) {
    %a = memref.load %A[%i, %j] : memref<7x9xf32>
    scf.reduce(%a, %a : f32, f32) {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      scf.reduce.return %s : f32
    }, {
    ^bb0(%x: f32, %y: f32):
      %s = arith.maximumf %x, %y : f32
      scf.reduce.return %s : f32
    }
  }
  memref.store %r#0, %R[%c0] : memref<2xf32>
  memref.store %r#1, %R[%c1] : memref<2xf32>
  return
}
