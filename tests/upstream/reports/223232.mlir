// A loop between two sizes has no iterations where the first one is not less.
func.func @collect(%begin: memref<?xi32>, %end: memref<?xi32>, %sum: memref<1xi32>) {
  %zero = arith.constant 0 : index
  %four = arith.constant 4 : index
  %one = arith.constant 1 : i32
  %first = memref.dim %begin, %zero : memref<?xi32>
  %last = memref.dim %end, %zero : memref<?xi32>
  scf.for %i = %first to %last step %four {
    %old = memref.load %sum[%zero] : memref<1xi32>
    %new = arith.addi %old, %one : i32
    memref.store %new, %sum[%zero] : memref<1xi32>
  }
  return
}
