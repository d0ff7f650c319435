#loc2 = loc("if-nested-data.mlir":1:17)
#loc3 = loc("if-nested-data.mlir":1:38)
#loc6 = loc("if-nested-data.mlir":3:14)
#loc11 = loc("if-nested-data.mlir":7:18)
module {
  func.func @main(%arg0: memref<5x9xf32> loc("if-nested-data.mlir":1:17), %arg1: memref<5x9xf32> loc("if-nested-data.mlir":1:38)) {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc4)
    affine.for %arg2 loc("if-nested-data.mlir":3:14) = 0 to 5 {
      %0 = affine.load %arg0[%arg2, 0] : memref<5x9xf32> loc(#loc7)
      %1 = arith.cmpf ogt, %0, %cst : f32 loc(#loc8)
      scf.if %1 {
        affine.for %arg3 loc("if-nested-data.mlir":7:18) = 0 to 9 {
          %2 = affine.load %arg0[%arg2, %arg3] : memref<5x9xf32> loc(#loc12)
          %3 = arith.cmpf olt, %2, %0 : f32 loc(#loc13)
          scf.if %3 {
            affine.store %2, %arg1[%arg2, %arg3] : memref<5x9xf32> loc(#loc15)
          } loc(#loc14)
        } loc(#loc10)
      } loc(#loc9)
    } loc(#loc5)
    return loc(#loc16)
  } loc(#loc1)
} loc(#loc)
#loc = loc("if-nested-data.mlir":0:0)
#loc1 = loc("if-nested-data.mlir":1:1)
#loc4 = loc("if-nested-data.mlir":2:8)
#loc5 = loc("if-nested-data.mlir":3:3)
#loc7 = loc("if-nested-data.mlir":4:10)
#loc8 = loc("if-nested-data.mlir":5:10)
#loc9 = loc("if-nested-data.mlir":6:5)
#loc10 = loc("if-nested-data.mlir":7:7)
#loc12 = loc("if-nested-data.mlir":8:14)
#loc13 = loc("if-nested-data.mlir":9:14)
#loc14 = loc("if-nested-data.mlir":10:9)
#loc15 = loc("if-nested-data.mlir":11:11)
#loc16 = loc("if-nested-data.mlir":16:3)

