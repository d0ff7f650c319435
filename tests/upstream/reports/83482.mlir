// A loop from 1 whose variable is scaled.
func.func @mark(%row: memref<18xi32>, %value: i32) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %six = arith.constant 6 : index
  scf.for %i = %one to %six step %two {
    %at = arith.muli %i, %three : index
    memref.store %value, %row[%at] : memref<18xi32>
  }
  return
}
