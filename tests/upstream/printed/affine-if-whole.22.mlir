#loc2 = loc("affine-if-whole.mlir":2:17)
#loc3 = loc("affine-if-whole.mlir":2:38)
#loc4 = loc("affine-if-whole.mlir":2:59)
#loc7 = loc("affine-if-whole.mlir":4:14)
#loc9 = loc("affine-if-whole.mlir":5:16)
#set = affine_set<(d0, d1)[s0] : (d0 - d1 == 0, -d0 + s0 >= 0)>
module {
  func.func @main(%arg0: memref<9x9xf32> loc("affine-if-whole.mlir":2:17), %arg1: memref<9x9xf32> loc("affine-if-whole.mlir":2:38), %arg2: index loc("affine-if-whole.mlir":2:59)) {
    %cst = arith.constant -1.000000e+00 : f32 loc(#loc5)
    affine.for %arg3 loc("affine-if-whole.mlir":4:14) = 0 to 9 {
      affine.for %arg4 loc("affine-if-whole.mlir":5:16) = 0 to 9 {
        %0 = affine.if #set(%arg3, %arg4)[%arg2] -> f32 {
          %1 = affine.load %arg0[%arg3, %arg4] : memref<9x9xf32> loc(#loc11)
          affine.yield %1 : f32 loc(#loc12)
        } else {
          affine.yield %cst : f32 loc(#loc13)
        } loc(#loc10)
        affine.store %0, %arg1[%arg3, %arg4] : memref<9x9xf32> loc(#loc14)
      } loc(#loc8)
    } loc(#loc6)
    return loc(#loc15)
  } loc(#loc1)
} loc(#loc)
#loc = loc("affine-if-whole.mlir":0:0)
#loc1 = loc("affine-if-whole.mlir":2:1)
#loc5 = loc("affine-if-whole.mlir":3:8)
#loc6 = loc("affine-if-whole.mlir":4:3)
#loc8 = loc("affine-if-whole.mlir":5:5)
#loc10 = loc("affine-if-whole.mlir":6:12)
#loc11 = loc("affine-if-whole.mlir":7:14)
#loc12 = loc("affine-if-whole.mlir":8:9)
#loc13 = loc("affine-if-whole.mlir":10:9)
#loc14 = loc("affine-if-whole.mlir":12:7)
#loc15 = loc("affine-if-whole.mlir":15:3)

