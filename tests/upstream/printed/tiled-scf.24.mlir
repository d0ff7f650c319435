#loc2 = loc("tiled-scf.mlir":2:17)
#loc3 = loc("tiled-scf.mlir":2:38)
#loc10 = loc("tiled-scf.mlir":8:11)
#loc13 = loc("tiled-scf.mlir":10:13)
#loc16 = loc("tiled-scf.mlir":12:15)
#loc18 = loc("tiled-scf.mlir":13:17)
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x?xf32>, memref<?x?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?x?xf32> loc("tiled-scf.mlir":2:17), %arg1: memref<?x?xf32> loc("tiled-scf.mlir":2:38)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc4)
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc5)
    %2 = "arith.constant"() <{value = 4 : index}> : () -> index loc(#loc6)
    %3 = "memref.dim"(%arg0, %0) : (memref<?x?xf32>, index) -> index loc(#loc7)
    %4 = "memref.dim"(%arg0, %1) : (memref<?x?xf32>, index) -> index loc(#loc8)
    "scf.for"(%0, %3, %2) ({
    ^bb0(%arg2: index loc("tiled-scf.mlir":8:11)):
      %5 = "affine.min"(%arg2, %3) <{map = #map}> : (index, index) -> index loc(#loc11)
      "scf.for"(%0, %4, %2) ({
      ^bb0(%arg3: index loc("tiled-scf.mlir":10:13)):
        %6 = "affine.min"(%arg3, %4) <{map = #map}> : (index, index) -> index loc(#loc14)
        "scf.for"(%0, %5, %1) ({
        ^bb0(%arg4: index loc("tiled-scf.mlir":12:15)):
          "scf.for"(%0, %6, %1) ({
          ^bb0(%arg5: index loc("tiled-scf.mlir":13:17)):
            %7 = "arith.addi"(%arg2, %arg4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc(#loc19)
            %8 = "arith.addi"(%arg3, %arg5) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc(#loc20)
            %9 = "memref.load"(%arg0, %7, %8) : (memref<?x?xf32>, index, index) -> f32 loc(#loc21)
            "memref.store"(%9, %arg1, %7, %8) : (f32, memref<?x?xf32>, index, index) -> () loc(#loc22)
            "scf.yield"() : () -> () loc(#loc17)
          }) : (index, index, index) -> () loc(#loc17)
          "scf.yield"() : () -> () loc(#loc15)
        }) : (index, index, index) -> () loc(#loc15)
        "scf.yield"() : () -> () loc(#loc12)
      }) : (index, index, index) -> () loc(#loc12)
      "scf.yield"() : () -> () loc(#loc9)
    }) : (index, index, index) -> () loc(#loc9)
    "func.return"() : () -> () loc(#loc23)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("tiled-scf.mlir":0:0)
#loc1 = loc("tiled-scf.mlir":2:1)
#loc4 = loc("tiled-scf.mlir":3:9)
#loc5 = loc("tiled-scf.mlir":4:9)
#loc6 = loc("tiled-scf.mlir":5:9)
#loc7 = loc("tiled-scf.mlir":6:8)
#loc8 = loc("tiled-scf.mlir":7:8)
#loc9 = loc("tiled-scf.mlir":8:3)
#loc11 = loc("tiled-scf.mlir":9:10)
#loc12 = loc("tiled-scf.mlir":10:5)
#loc14 = loc("tiled-scf.mlir":11:12)
#loc15 = loc("tiled-scf.mlir":12:7)
#loc17 = loc("tiled-scf.mlir":13:9)
#loc19 = loc("tiled-scf.mlir":14:16)
#loc20 = loc("tiled-scf.mlir":15:16)
#loc21 = loc("tiled-scf.mlir":16:16)
#loc22 = loc("tiled-scf.mlir":17:11)
#loc23 = loc("tiled-scf.mlir":22:3)

