#loc2 = loc("index-switch.mlir":1:17)
#loc3 = loc("index-switch.mlir":1:37)
#loc6 = loc("index-switch.mlir":3:14)
module {
  func.func @main(%arg0: memref<12xi32> loc("index-switch.mlir":1:17), %arg1: memref<12xi32> loc("index-switch.mlir":1:37)) {
    %c3 = arith.constant 3 : index loc(#loc4)
    affine.for %arg2 loc("index-switch.mlir":3:14) = 0 to 12 {
      %0 = arith.remui %arg2, %c3 : index loc(#loc7)
      %1 = affine.load %arg0[%arg2] : memref<12xi32> loc(#loc8)
      %2 = scf.index_switch %0 -> i32 
      case 0 {
        %3 = arith.addi %1, %1 : i32 loc(#loc10)
        scf.yield %3 : i32 loc(#loc11)
      }
      case 2 {
        %c7_i32 = arith.constant 7 : i32 loc(#loc12)
        scf.yield %c7_i32 : i32 loc(#loc13)
      }
      default {
        scf.yield %1 : i32 loc(#loc14)
      } loc(#loc9)
      affine.store %2, %arg1[%arg2] : memref<12xi32> loc(#loc15)
    } loc(#loc5)
    return loc(#loc16)
  } loc(#loc1)
} loc(#loc)
#loc = loc("index-switch.mlir":0:0)
#loc1 = loc("index-switch.mlir":1:1)
#loc4 = loc("index-switch.mlir":2:12)
#loc5 = loc("index-switch.mlir":3:3)
#loc7 = loc("index-switch.mlir":4:10)
#loc8 = loc("index-switch.mlir":5:10)
#loc9 = loc("index-switch.mlir":6:10)
#loc10 = loc("index-switch.mlir":8:12)
#loc11 = loc("index-switch.mlir":9:7)
#loc12 = loc("index-switch.mlir":12:13)
#loc13 = loc("index-switch.mlir":13:7)
#loc14 = loc("index-switch.mlir":16:7)
#loc15 = loc("index-switch.mlir":18:5)
#loc16 = loc("index-switch.mlir":20:3)

