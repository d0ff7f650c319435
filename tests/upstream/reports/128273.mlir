// A loop that may have no iterations overwrites the state.
func.func @keep_first(%rounds: memref<?xi32>, %state: memref<1xi32>, %old: i32, %new: i32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %rounds, %c0 : memref<?xi32>
  affine.store %old, %state[0] : memref<1xi32>
  affine.for %i = 0 to %n {
    affine.store %new, %state[0] : memref<1xi32>
  }
  return
}
