#loc2 = loc("semi-affine.mlir":5:17)
#loc3 = loc("semi-affine.mlir":5:37)
#loc4 = loc("semi-affine.mlir":5:57)
#loc5 = loc("semi-affine.mlir":5:77)
#loc7 = loc("semi-affine.mlir":6:14)
#map = affine_map<(d0)[s0] -> (d0 floordiv s0)>
#map1 = affine_map<(d0)[s0] -> (d0 mod s0)>
#map2 = affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>
#map3 = affine_map<(d0)[s0] -> (d0 ceildiv s0)>
module {
  func.func @main(%arg0: memref<24xf32> loc("semi-affine.mlir":5:17), %arg1: memref<24xf32> loc("semi-affine.mlir":5:37), %arg2: memref<24xi32> loc("semi-affine.mlir":5:57), %arg3: index loc("semi-affine.mlir":5:77)) {
    affine.for %arg4 loc("semi-affine.mlir":6:14) = 0 to 24 {
      %0 = affine.apply #map(%arg4)[%arg3] loc(#loc8)
      %1 = affine.apply #map1(%arg4)[%arg3] loc(#loc9)
      %2 = affine.apply #map2(%0, %1)[%arg3] loc(#loc10)
      %3 = memref.load %arg0[%2] : memref<24xf32> loc(#loc11)
      affine.store %3, %arg1[%arg4] : memref<24xf32> loc(#loc12)
      %4 = affine.apply #map3(%arg4)[%arg3] loc(#loc13)
      %5 = arith.index_cast %4 : index to i32 loc(#loc14)
      affine.store %5, %arg2[%arg4] : memref<24xi32> loc(#loc15)
    } loc(#loc6)
    return loc(#loc16)
  } loc(#loc1)
} loc(#loc)
#loc = loc("semi-affine.mlir":0:0)
#loc1 = loc("semi-affine.mlir":5:1)
#loc6 = loc("semi-affine.mlir":6:3)
#loc8 = loc("semi-affine.mlir":7:10)
#loc9 = loc("semi-affine.mlir":8:10)
#loc10 = loc("semi-affine.mlir":9:10)
#loc11 = loc("semi-affine.mlir":10:10)
#loc12 = loc("semi-affine.mlir":11:5)
#loc13 = loc("semi-affine.mlir":12:10)
#loc14 = loc("semi-affine.mlir":13:10)
#loc15 = loc("semi-affine.mlir":14:5)
#loc16 = loc("semi-affine.mlir":16:3)

