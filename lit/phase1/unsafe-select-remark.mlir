// RUN: opt-tool --pass unsafe-select --remarks %s 2>&1 | filecheck %s

// CASE remarks: single lanes of a vector cannot be guarded by what was computed for them.
// CHECK: remark[TW0545]: what is read of %A stays outside of the choice: the condition is computed lane by lane
func.func @lanes(%A: memref<8xf32>, %X: memref<16xf32>, %C: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  %zeros = vector.broadcast %zero : f32 to vector<16xf32>
  %x = loop.load %X[lane] : memref<16xf32>, vector<16xf32>
  %c = arith.cmpf ogt, %x, %zeros : vector<16xf32>
  %a = loop.load %A[lane] : memref<8xf32>, vector<16xf32>
  %r = arith.select %c, %a, %zeros : vector<16xi1>, vector<16xf32>
  loop.store %r, %C[lane] : vector<16xf32>, memref<16xf32>
  func.return
}


// CASE remarks: the read would have to move down to its condition, past a store to what it reads.
// CHECK: remark[TW0545]: what is read of %A stays outside of the choice: a store stands between it and the choice
func.func @store(%A: memref<8xf32>, %C: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 9 {
    %a = loop.load %A[%i] : memref<8xf32>
    loop.store %one, %A[0] : memref<8xf32>
    %c = loop.test (%i < 8) : i1
    %r = arith.select %c, %a, %one : f32
    loop.store %r, %C[0] : memref<8xf32>
  }
  func.return
}
