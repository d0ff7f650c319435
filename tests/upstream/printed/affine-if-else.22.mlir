#loc2 = loc("affine-if-else.mlir":1:17)
#loc3 = loc("affine-if-else.mlir":1:36)
#loc7 = loc("affine-if-else.mlir":4:14)
#set = affine_set<(d0)[s0] : (d0 mod 2 == 0, -d0 + s0 - 1 >= 0)>
#set1 = affine_set<(d0) : (d0 - 4 >= 0)>
module {
  func.func @main(%arg0: memref<9xi32> loc("affine-if-else.mlir":1:17), %arg1: index loc("affine-if-else.mlir":1:36)) {
    %c1_i32 = arith.constant 1 : i32 loc(#loc4)
    %c2_i32 = arith.constant 2 : i32 loc(#loc5)
    affine.for %arg2 loc("affine-if-else.mlir":4:14) = 0 to 9 {
      affine.if #set(%arg2)[%arg1] {
        affine.store %c1_i32, %arg0[%arg2] : memref<9xi32> loc(#loc9)
      } else {
        affine.if #set1(%arg2) {
          affine.store %c2_i32, %arg0[%arg2] : memref<9xi32> loc(#loc11)
        } loc(#loc10)
      } loc(#loc8)
    } loc(#loc6)
    return loc(#loc12)
  } loc(#loc1)
} loc(#loc)
#loc = loc("affine-if-else.mlir":0:0)
#loc1 = loc("affine-if-else.mlir":1:1)
#loc4 = loc("affine-if-else.mlir":2:8)
#loc5 = loc("affine-if-else.mlir":3:8)
#loc6 = loc("affine-if-else.mlir":4:3)
#loc8 = loc("affine-if-else.mlir":5:5)
#loc9 = loc("affine-if-else.mlir":6:7)
#loc10 = loc("affine-if-else.mlir":8:7)
#loc11 = loc("affine-if-else.mlir":9:9)
#loc12 = loc("affine-if-else.mlir":13:3)

