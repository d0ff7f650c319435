func.func @main(%A: memref<5x8xf32>, %B: memref<8xf32>) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %zero) -> (vector<8xf32>) {
    %a = vector.load %A[%i, %c0] : memref<5x8xf32>, vector<8xf32>
    %s1 = arith.addf %s, %a : vector<8xf32>
    scf.yield %s1 : vector<8xf32>
  }
  vector.store %r, %B[%c0] : memref<8xf32>, vector<8xf32>
  return
}
