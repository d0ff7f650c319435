// mlir-opt --pass-pipeline='builtin.module(func.func(affine-loop-tile{tile-size=4}))'
//
// Every iteration reads the cell %s[0] that the iteration before wrote, and the body is not associative: the value
// depends on the order of all 16 iterations. Tiling executes row 1 of the first tile before the right half of row 0.
// The distance of this dependence in the inner loop is not bounded from below, and the legality check of tiling only
// rejects components with two known bounds.
func.func @alternating_sum(%a: memref<2x8xi32>, %s: memref<1xi32>) {
  affine.for %i = 0 to 2 {
    affine.for %j = 0 to 8 {
      %0 = affine.load %a[%i, %j] : memref<2x8xi32>
      %1 = affine.load %s[0] : memref<1xi32>
      %2 = arith.subi %0, %1 : i32
      %3 = arith.muli %2, %0 : i32
      affine.store %3, %s[0] : memref<1xi32>
    }
  }
  return
}
