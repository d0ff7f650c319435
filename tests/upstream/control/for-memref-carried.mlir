func.func @main(%A: memref<8xf32>, %B: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %A, %y = %A) -> (memref<8xf32>, memref<8xf32>) {
    %a = memref.load %x[%i] : memref<8xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %y[%i] : memref<8xf32>
    scf.yield %x, %y : memref<8xf32>, memref<8xf32>
  }
  memref.copy %r#0, %B : memref<8xf32> to memref<8xf32>
  return
}
