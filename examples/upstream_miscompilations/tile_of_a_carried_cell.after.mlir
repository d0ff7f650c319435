// LLVM 24, builtin.module(func.func(affine-loop-tile{tile-size=4}))
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @alternating_sum(%arg0: memref<2x8xi32>, %arg1: memref<1xi32>) {
    affine.for %arg2 = 0 to 2 step 4 {
      affine.for %arg3 = 0 to 8 step 4 {
        affine.for %arg4 = #map(%arg2) to #map1(%arg2) {
          affine.for %arg5 = #map(%arg3) to #map2(%arg3) {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<2x8xi32>
            %1 = affine.load %arg1[0] : memref<1xi32>
            %2 = arith.subi %0, %1 : i32
            %3 = arith.muli %2, %0 : i32
            affine.store %3, %arg1[0] : memref<1xi32>
          }
        }
      }
    }
    return
  }
}
