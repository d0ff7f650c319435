#loc2 = loc("linalg-between-loops.mlir":1:17)
#loc3 = loc("linalg-between-loops.mlir":1:38)
#loc4 = loc("linalg-between-loops.mlir":1:59)
#loc12 = loc("linalg-between-loops.mlir":9:10)
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%arg0: memref<6x5xf32> loc("linalg-between-loops.mlir":1:17), %arg1: memref<6x5xf32> loc("linalg-between-loops.mlir":1:38), %arg2: index loc("linalg-between-loops.mlir":1:59)) {
    %c0 = arith.constant 0 : index loc(#loc5)
    %c1 = arith.constant 1 : index loc(#loc6)
    %cst = arith.constant 2.000000e+00 : f32 loc(#loc7)
    %alloc = memref.alloc() : memref<6x5xf32> loc(#loc8)
    memref.copy %arg0, %alloc : memref<6x5xf32> to memref<6x5xf32> loc(#loc9)
    scf.for %arg3 = %c0 to %arg2 step %c1 {
      linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%alloc : memref<6x5xf32>) {
      ^bb0(%out: f32 loc("linalg-between-loops.mlir":9:10)):
        %0 = arith.mulf %out, %cst : f32 loc(#loc13)
        linalg.yield %0 : f32 loc(#loc14)
      } loc(#loc11)
    } loc(#loc10)
    linalg.map { arith.addf } ins(%alloc, %arg0 : memref<6x5xf32>, memref<6x5xf32>) outs(%arg1 : memref<6x5xf32>) loc(#loc15)
    memref.dealloc %alloc : memref<6x5xf32> loc(#loc16)
    return loc(#loc17)
  } loc(#loc1)
} loc(#loc)
#loc = loc("linalg-between-loops.mlir":0:0)
#loc1 = loc("linalg-between-loops.mlir":1:1)
#loc5 = loc("linalg-between-loops.mlir":2:9)
#loc6 = loc("linalg-between-loops.mlir":3:9)
#loc7 = loc("linalg-between-loops.mlir":4:10)
#loc8 = loc("linalg-between-loops.mlir":5:8)
#loc9 = loc("linalg-between-loops.mlir":6:3)
#loc10 = loc("linalg-between-loops.mlir":7:3)
#loc11 = loc("linalg-between-loops.mlir":8:5)
#loc13 = loc("linalg-between-loops.mlir":10:12)
#loc14 = loc("linalg-between-loops.mlir":11:7)
#loc15 = loc("linalg-between-loops.mlir":14:3)
#loc16 = loc("linalg-between-loops.mlir":15:3)
#loc17 = loc("linalg-between-loops.mlir":16:3)

