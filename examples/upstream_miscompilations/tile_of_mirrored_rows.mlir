// mlir-opt --pass-pipeline='builtin.module(func.func(affine-loop-tile{tile-size=4}))'
//
// Row %i reads row %i + 2 from right to left, before that row is written. The distance of this dependence in the columns
// is anything from -18 to 18. A tile of four rows and four columns writes the left of row %i + 2 before row %i reads it
// for its right. The legality check rejects a component only where its upper bound is negative too.
func.func @mirror(%n: index, %a: memref<?x19xi32>) {
  affine.for %i = 0 to affine_map<()[s0] -> (s0 - 2)>()[%n] {
    affine.for %j = 0 to 19 {
      %0 = affine.load %a[%i + 2, 18 - %j] : memref<?x19xi32>
      affine.store %0, %a[%i, %j] : memref<?x19xi32>
    }
  }
  return
}
