#loc2 = loc("unsigned-comparisons.mlir":1:17)
#loc3 = loc("unsigned-comparisons.mlir":1:37)
#loc4 = loc("unsigned-comparisons.mlir":1:57)
#loc6 = loc("unsigned-comparisons.mlir":2:14)
module {
  func.func @main(%arg0: memref<10xf32> loc("unsigned-comparisons.mlir":1:17), %arg1: memref<10xf32> loc("unsigned-comparisons.mlir":1:37), %arg2: index loc("unsigned-comparisons.mlir":1:57)) {
    affine.for %arg3 loc("unsigned-comparisons.mlir":2:14) = 0 to 10 {
      %0 = affine.load %arg0[%arg3] : memref<10xf32> loc(#loc7)
      %1 = arith.cmpi ult, %arg3, %arg2 : index loc(#loc8)
      %2 = arith.cmpi ne, %arg3, %arg2 : index loc(#loc9)
      %3 = arith.andi %1, %2 : i1 loc(#loc10)
      scf.if %3 {
        affine.store %0, %arg1[%arg3] : memref<10xf32> loc(#loc12)
      } loc(#loc11)
    } loc(#loc5)
    return loc(#loc13)
  } loc(#loc1)
} loc(#loc)
#loc = loc("unsigned-comparisons.mlir":0:0)
#loc1 = loc("unsigned-comparisons.mlir":1:1)
#loc5 = loc("unsigned-comparisons.mlir":2:3)
#loc7 = loc("unsigned-comparisons.mlir":3:10)
#loc8 = loc("unsigned-comparisons.mlir":4:10)
#loc9 = loc("unsigned-comparisons.mlir":5:10)
#loc10 = loc("unsigned-comparisons.mlir":6:10)
#loc11 = loc("unsigned-comparisons.mlir":7:5)
#loc12 = loc("unsigned-comparisons.mlir":8:7)
#loc13 = loc("unsigned-comparisons.mlir":11:3)

