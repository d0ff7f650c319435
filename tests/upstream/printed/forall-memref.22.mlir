#loc2 = loc("forall-memref.mlir":1:17)
#loc3 = loc("forall-memref.mlir":1:39)
#loc4 = loc("forall-memref.mlir":1:61)
module {
  func.func @main(%arg0: memref<8x12xf32> loc("forall-memref.mlir":1:17), %arg1: memref<8x12xf32> loc("forall-memref.mlir":1:39), %arg2: memref<8x12xf32> loc("forall-memref.mlir":1:61)) {
    %c12 = arith.constant 12 : index loc(#loc5)
    scf.forall (%arg3, %arg4) in (8, %c12) {
      %0 = memref.load %arg0[%arg3, %arg4] : memref<8x12xf32> loc(#loc7)
      memref.store %0, %arg1[%arg3, %arg4] : memref<8x12xf32> loc(#loc8)
    } loc(#loc6)
    scf.forall (%arg3, %arg4) = (1, 0) to (8, 12) step (3, 2) {
      %0 = memref.load %arg0[%arg3, %arg4] : memref<8x12xf32> loc(#loc10)
      memref.store %0, %arg2[%arg3, %arg4] : memref<8x12xf32> loc(#loc11)
    } loc(#loc9)
    return loc(#loc12)
  } loc(#loc1)
} loc(#loc)
#loc = loc("forall-memref.mlir":0:0)
#loc1 = loc("forall-memref.mlir":1:1)
#loc5 = loc("forall-memref.mlir":2:10)
#loc6 = loc("forall-memref.mlir":3:3)
#loc7 = loc("forall-memref.mlir":4:10)
#loc8 = loc("forall-memref.mlir":5:5)
#loc9 = loc("forall-memref.mlir":7:3)
#loc10 = loc("forall-memref.mlir":8:10)
#loc11 = loc("forall-memref.mlir":9:5)
#loc12 = loc("forall-memref.mlir":11:3)

