#loc2 = loc("affine-apply-chains.mlir":4:17)
#loc3 = loc("affine-apply-chains.mlir":4:37)
#loc4 = loc("affine-apply-chains.mlir":4:57)
#loc6 = loc("affine-apply-chains.mlir":5:14)
#loc8 = loc("affine-apply-chains.mlir":6:16)
#map = affine_map<(d0) -> (d0 floordiv 2)>
#map1 = affine_map<(d0) -> (d0 floordiv 2 + 2)>
#map2 = affine_map<(d0, d1) -> (d0 + (-d1) floordiv 2)>
#map3 = affine_map<(d0) -> (d0 ceildiv 3)>
#map4 = affine_map<(d0, d1)[s0] -> (d0 mod 5 + d1 * 2 + s0)>
module {
  func.func @main(%arg0: memref<40xf32> loc("affine-apply-chains.mlir":4:17), %arg1: memref<40xf32> loc("affine-apply-chains.mlir":4:37), %arg2: index loc("affine-apply-chains.mlir":4:57)) {
    affine.for %arg3 loc("affine-apply-chains.mlir":5:14) = 0 to 12 {
      affine.for %arg4 loc("affine-apply-chains.mlir":6:16) = #map(%arg3) to #map1(%arg3) {
        %0 = affine.apply #map2(%arg3, %arg4) loc(#loc9)
        %1 = affine.apply #map3(%arg3) loc(#loc10)
        %2 = affine.apply #map4(%0, %1)[%arg2] loc(#loc11)
        %3 = affine.load %arg0[%2 mod 7 + symbol(%arg2)] : memref<40xf32> loc(#loc12)
        affine.store %3, %arg1[%arg3 * 3 + %arg4 mod 3] : memref<40xf32> loc(#loc13)
      } loc(#loc7)
    } loc(#loc5)
    return loc(#loc14)
  } loc(#loc1)
} loc(#loc)
#loc = loc("affine-apply-chains.mlir":0:0)
#loc1 = loc("affine-apply-chains.mlir":4:1)
#loc5 = loc("affine-apply-chains.mlir":5:3)
#loc7 = loc("affine-apply-chains.mlir":6:5)
#loc9 = loc("affine-apply-chains.mlir":7:12)
#loc10 = loc("affine-apply-chains.mlir":8:12)
#loc11 = loc("affine-apply-chains.mlir":9:12)
#loc12 = loc("affine-apply-chains.mlir":10:12)
#loc13 = loc("affine-apply-chains.mlir":11:7)
#loc14 = loc("affine-apply-chains.mlir":14:3)

