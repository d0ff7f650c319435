#loc2 = loc("execute-region.mlir":1:17)
#loc3 = loc("execute-region.mlir":1:36)
#loc5 = loc("execute-region.mlir":2:14)
module {
  func.func @main(%arg0: memref<6xf32> loc("execute-region.mlir":1:17), %arg1: memref<6xf32> loc("execute-region.mlir":1:36)) {
    affine.for %arg2 loc("execute-region.mlir":2:14) = 0 to 6 {
      %0 = scf.execute_region -> f32 {
        %1 = affine.load %arg0[%arg2] : memref<6xf32> loc(#loc7)
        %2 = arith.mulf %1, %1 : f32 loc(#loc8)
        scf.yield %2 : f32 loc(#loc9)
      } loc(#loc6)
      affine.store %0, %arg1[%arg2] : memref<6xf32> loc(#loc10)
    } loc(#loc4)
    return loc(#loc11)
  } loc(#loc1)
} loc(#loc)
#loc = loc("execute-region.mlir":0:0)
#loc1 = loc("execute-region.mlir":1:1)
#loc4 = loc("execute-region.mlir":2:3)
#loc6 = loc("execute-region.mlir":3:10)
#loc7 = loc("execute-region.mlir":4:12)
#loc8 = loc("execute-region.mlir":5:12)
#loc9 = loc("execute-region.mlir":6:7)
#loc10 = loc("execute-region.mlir":8:5)
#loc11 = loc("execute-region.mlir":10:3)

