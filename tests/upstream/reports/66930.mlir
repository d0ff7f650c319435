// A vector is read through one view and written through another one of the same buffer, in each iteration.
func.func @accumulate(%state: memref<1x2xi32>, %term: vector<2xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : index
  %none = arith.constant 0 : i32
  %written = memref.collapse_shape %state [[0, 1]] : memref<1x2xi32> into memref<2xi32>
  %read = memref.collapse_shape %state [[0, 1]] : memref<1x2xi32> into memref<2xi32>
  scf.for %i = %zero to %five step %one {
    %old = vector.transfer_read %read[%zero], %none {in_bounds = [true]} : memref<2xi32>, vector<2xi32>
    %new = arith.addi %old, %term : vector<2xi32>
    vector.transfer_write %new, %written[%zero] {in_bounds = [true]} : vector<2xi32>, memref<2xi32>
  }
  return
}
