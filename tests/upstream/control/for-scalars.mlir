func.func @main(%A: memref<10xf32>, %R: memref<2xf32>, %N: memref<1xindex>) {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %r:3 = scf.for %i = %c0 to %c10 step %c1 iter_args(%s = %zero, %p = %one, %n = %c0) -> (f32, f32, index) {
    %a = memref.load %A[%i] : memref<10xf32>
    %s1 = arith.addf %s, %a : f32
    %p1 = arith.mulf %p, %s : f32
    %n1 = arith.addi %n, %i : index
    scf.yield %p1, %s1, %n1 : f32, f32, index
  }
  memref.store %r#0, %R[%c0] : memref<2xf32>
  memref.store %r#1, %R[%c1] : memref<2xf32>
  memref.store %r#2, %N[%c0] : memref<1xindex>
  return
}
