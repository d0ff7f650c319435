// A product of bits by multiplication and addition, which is and with exclusive or.
func.func @parity(%a: memref<2x2xi1>, %b: memref<2x2xi1>, %c: memref<2x2xi1>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
                     affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : memref<2x2xi1>, memref<2x2xi1>) outs(%c : memref<2x2xi1>) {
  ^bb0(%x: i1, %y: i1, %sum: i1):
    %product = arith.muli %x, %y : i1
    %more = arith.addi %sum, %product : i1
    linalg.yield %more : i1
  }
  return
}
