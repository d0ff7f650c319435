// RUN: opt-tool --pass convert-vector --split-input-file --verify-diagnostics %s

// CASE errs: the length of a vector is no number.
func.func @scalable(%A: memref<8xf32>, %i: index) {
  // expected-error@+1 {{TW0571: expected vectors of fixed length}}
  %v = vector.load %A[%i] : memref<8xf32>, vector<[4]xf32>
  vector.store %v, %A[%i] : memref<8xf32>, vector<[4]xf32>
  return
}
