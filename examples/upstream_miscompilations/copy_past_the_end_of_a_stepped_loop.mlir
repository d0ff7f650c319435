// mlir-opt --pass-pipeline='builtin.module(func.func(affine-data-copy-generate{fast-mem-space=0}))'
//
// The inner loop reads %a[0] and %a[4]. The region for the copy is bounded by %i + 8, without the step, so that the copy
// reads %a[6] and %a[7] and writes these elements of a buffer that has six. With bounds that are constants the pass
// does take the step into account.
func.func @every_fourth(%a: memref<6xi32>, %b: memref<2xi32>) {
  affine.for %i = 0 to 6 step 16 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 8)>(%i) step 4 {
      %0 = affine.load %a[%j] : memref<6xi32>
      affine.store %0, %b[%j floordiv 4] : memref<2xi32>
    }
  }
  return
}
