#loc2 = loc("if-data.mlir":1:17)
#loc3 = loc("if-data.mlir":1:37)
#loc4 = loc("if-data.mlir":1:57)
#loc7 = loc("if-data.mlir":3:14)
module {
  func.func @main(%arg0: memref<16xf32> loc("if-data.mlir":1:17), %arg1: memref<16xf32> loc("if-data.mlir":1:37), %arg2: memref<16xf32> loc("if-data.mlir":1:57)) {
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc5)
    affine.for %arg3 loc("if-data.mlir":3:14) = 0 to 16 {
      %0 = affine.load %arg0[%arg3] : memref<16xf32> loc(#loc8)
      %1 = arith.cmpf ogt, %0, %cst : f32 loc(#loc9)
      scf.if %1 {
        affine.store %0, %arg1[%arg3] : memref<16xf32> loc(#loc11)
      } else {
        %2 = arith.negf %0 : f32 loc(#loc12)
        affine.store %2, %arg2[%arg3] : memref<16xf32> loc(#loc13)
      } loc(#loc10)
    } loc(#loc6)
    return loc(#loc14)
  } loc(#loc1)
} loc(#loc)
#loc = loc("if-data.mlir":0:0)
#loc1 = loc("if-data.mlir":1:1)
#loc5 = loc("if-data.mlir":2:8)
#loc6 = loc("if-data.mlir":3:3)
#loc8 = loc("if-data.mlir":4:10)
#loc9 = loc("if-data.mlir":5:10)
#loc10 = loc("if-data.mlir":6:5)
#loc11 = loc("if-data.mlir":7:7)
#loc12 = loc("if-data.mlir":9:12)
#loc13 = loc("if-data.mlir":10:7)
#loc14 = loc("if-data.mlir":13:3)

