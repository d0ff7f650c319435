#loc2 = loc("for-step-data.mlir":1:17)
#loc3 = loc("for-step-data.mlir":1:37)
#loc4 = loc("for-step-data.mlir":1:57)
module {
  func.func @main(%arg0: memref<20xf32> loc("for-step-data.mlir":1:17), %arg1: memref<20xf32> loc("for-step-data.mlir":1:37), %arg2: index loc("for-step-data.mlir":1:57)) {
    %c0 = arith.constant 0 : index loc(#loc5)
    %c20 = arith.constant 20 : index loc(#loc6)
    scf.for %arg3 = %c0 to %c20 step %arg2 {
      %0 = memref.load %arg0[%arg3] : memref<20xf32> loc(#loc8)
      memref.store %0, %arg1[%arg3] : memref<20xf32> loc(#loc9)
    } loc(#loc7)
    return loc(#loc10)
  } loc(#loc1)
} loc(#loc)
#loc = loc("for-step-data.mlir":0:0)
#loc1 = loc("for-step-data.mlir":1:1)
#loc5 = loc("for-step-data.mlir":2:9)
#loc6 = loc("for-step-data.mlir":3:10)
#loc7 = loc("for-step-data.mlir":4:3)
#loc8 = loc("for-step-data.mlir":5:10)
#loc9 = loc("for-step-data.mlir":6:5)
#loc10 = loc("for-step-data.mlir":8:3)

