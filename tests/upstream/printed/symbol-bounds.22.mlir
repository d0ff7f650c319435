#loc2 = loc("symbol-bounds.mlir":1:17)
#loc3 = loc("symbol-bounds.mlir":1:38)
#loc9 = loc("symbol-bounds.mlir":6:14)
#loc11 = loc("symbol-bounds.mlir":7:16)
#map = affine_map<(d0)[s0] -> (0, d0 - s0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 2, s0)>
module {
  func.func @main(%arg0: memref<?x?xf32> loc("symbol-bounds.mlir":1:17), %arg1: memref<?x?xf32> loc("symbol-bounds.mlir":1:38)) {
    %c0 = arith.constant 0 : index loc(#loc4)
    %c1 = arith.constant 1 : index loc(#loc5)
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32> loc(#loc6)
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32> loc(#loc7)
    affine.for %arg2 loc("symbol-bounds.mlir":6:14) = 0 to %dim {
      affine.for %arg3 loc("symbol-bounds.mlir":7:16) = max #map(%arg2)[%c1] to min #map1(%arg2)[%dim_0] {
        %0 = affine.load %arg0[%arg2, -%arg3 + symbol(%dim_0) - 1] : memref<?x?xf32> loc(#loc12)
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x?xf32> loc(#loc13)
      } loc(#loc10)
    } loc(#loc8)
    return loc(#loc14)
  } loc(#loc1)
} loc(#loc)
#loc = loc("symbol-bounds.mlir":0:0)
#loc1 = loc("symbol-bounds.mlir":1:1)
#loc4 = loc("symbol-bounds.mlir":2:9)
#loc5 = loc("symbol-bounds.mlir":3:9)
#loc6 = loc("symbol-bounds.mlir":4:8)
#loc7 = loc("symbol-bounds.mlir":5:8)
#loc8 = loc("symbol-bounds.mlir":6:3)
#loc10 = loc("symbol-bounds.mlir":7:5)
#loc12 = loc("symbol-bounds.mlir":8:12)
#loc13 = loc("symbol-bounds.mlir":9:7)
#loc14 = loc("symbol-bounds.mlir":12:3)

