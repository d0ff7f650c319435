#loc2 = loc("switch-effects.mlir":1:17)
#loc3 = loc("switch-effects.mlir":1:36)
#loc7 = loc("switch-effects.mlir":4:14)
#map = affine_map<(d0)[s0] -> ((d0 + s0) mod 4)>
module {
  func.func @main(%arg0: memref<9xi32> loc("switch-effects.mlir":1:17), %arg1: index loc("switch-effects.mlir":1:36)) {
    %c1_i32 = arith.constant 1 : i32 loc(#loc4)
    %c2_i32 = arith.constant 2 : i32 loc(#loc5)
    affine.for %arg2 loc("switch-effects.mlir":4:14) = 0 to 9 {
      %0 = affine.apply #map(%arg2)[%arg1] loc(#loc8)
      scf.index_switch %0 
      case 1 {
        affine.store %c1_i32, %arg0[%arg2] : memref<9xi32> loc(#loc10)
        scf.yield loc(#loc11)
      }
      case 3 {
        affine.store %c2_i32, %arg0[%arg2] : memref<9xi32> loc(#loc12)
        scf.yield loc(#loc13)
      }
      default {
      } loc(#loc9)
    } loc(#loc6)
    return loc(#loc14)
  } loc(#loc1)
} loc(#loc)
#loc = loc("switch-effects.mlir":0:0)
#loc1 = loc("switch-effects.mlir":1:1)
#loc4 = loc("switch-effects.mlir":2:8)
#loc5 = loc("switch-effects.mlir":3:8)
#loc6 = loc("switch-effects.mlir":4:3)
#loc8 = loc("switch-effects.mlir":5:10)
#loc9 = loc("switch-effects.mlir":6:5)
#loc10 = loc("switch-effects.mlir":8:7)
#loc11 = loc("switch-effects.mlir":9:7)
#loc12 = loc("switch-effects.mlir":12:7)
#loc13 = loc("switch-effects.mlir":13:7)
#loc14 = loc("switch-effects.mlir":18:3)

