// LLVM 22, builtin.module(func.func(affine-loop-unroll{unroll-factor=4}))
#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @fill_from_four(%arg0: memref<?xi32>, %arg1: memref<8xi32>, %arg2: i32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    affine.for %arg3 = 4 to #map()[%dim] step 4 {
      affine.store %arg2, %arg1[%arg3] : memref<8xi32>
      %0 = affine.apply #map1(%arg3)
      affine.store %arg2, %arg1[%0] : memref<8xi32>
      %1 = affine.apply #map2(%arg3)
      affine.store %arg2, %arg1[%1] : memref<8xi32>
      %2 = affine.apply #map3(%arg3)
      affine.store %arg2, %arg1[%2] : memref<8xi32>
    }
    affine.for %arg3 = #map()[%dim] to %dim {
      affine.store %arg2, %arg1[%arg3] : memref<8xi32>
    }
    return
  }
}
