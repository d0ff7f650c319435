// LLVM 24, builtin.module(func.func(affine-loop-tile{tile-size=4}))
#map = affine_map<()[s0] -> (s0 - 2)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0)[s0] -> (d0 + 4, s0 - 2)>
#map3 = affine_map<(d0) -> (d0 + 4, 19)>
module {
  func.func @mirror(%arg0: index, %arg1: memref<?x19xi32>) {
    affine.for %arg2 = 0 to #map()[%arg0] step 4 {
      affine.for %arg3 = 0 to 19 step 4 {
        affine.for %arg4 = #map1(%arg2) to min #map2(%arg2)[%arg0] {
          affine.for %arg5 = #map1(%arg3) to min #map3(%arg3) {
            %0 = affine.load %arg1[%arg4 + 2, -%arg5 + 18] : memref<?x19xi32>
            affine.store %0, %arg1[%arg4, %arg5] : memref<?x19xi32>
          }
        }
      }
    }
    return
  }
}
