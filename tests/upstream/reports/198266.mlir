// Each element is that of the previous row, one column to the right: distance (1, -1).
func.func @diagonal(%grid: memref<5x5xf32>) {
  affine.for %i = 1 to 5 {
    affine.for %j = 0 to 4 {
      %v = affine.load %grid[%i - 1, %j + 1] : memref<5x5xf32>
      affine.store %v, %grid[%i, %j] : memref<5x5xf32>
    }
  }
  return
}
