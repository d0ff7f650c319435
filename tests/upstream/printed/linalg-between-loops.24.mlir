#loc2 = loc("linalg-between-loops.mlir":1:17)
#loc3 = loc("linalg-between-loops.mlir":1:38)
#loc4 = loc("linalg-between-loops.mlir":1:59)
#loc11 = loc("linalg-between-loops.mlir":7:11)
#loc13 = loc("linalg-between-loops.mlir":9:10)
#loc17 = loc(unknown)
#map = affine_map<(d0, d1) -> (d0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<6x5xf32>, memref<6x5xf32>, index) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<6x5xf32> loc("linalg-between-loops.mlir":1:17), %arg1: memref<6x5xf32> loc("linalg-between-loops.mlir":1:38), %arg2: index loc("linalg-between-loops.mlir":1:59)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc5)
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc6)
    %2 = "arith.constant"() <{value = 2.000000e+00 : f32}> : () -> f32 loc(#loc7)
    %3 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<6x5xf32> loc(#loc8)
    "memref.copy"(%arg0, %3) : (memref<6x5xf32>, memref<6x5xf32>) -> () loc(#loc9)
    "scf.for"(%0, %arg2, %1) ({
    ^bb0(%arg6: index loc("linalg-between-loops.mlir":7:11)):
      "linalg.generic"(%3) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
      ^bb0(%arg7: f32 loc("linalg-between-loops.mlir":9:10)):
        %5 = "arith.mulf"(%arg7, %2) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc14)
        "linalg.yield"(%5) : (f32) -> () loc(#loc15)
      }) : (memref<6x5xf32>) -> () loc(#loc12)
      "scf.yield"() : () -> () loc(#loc10)
    }) : (index, index, index) -> () loc(#loc10)
    "linalg.map"(%3, %arg0, %arg1) ({
    ^bb0(%arg3: f32 loc(unknown), %arg4: f32 loc(unknown), %arg5: f32 loc(unknown)):
      %4 = "arith.addf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc16)
      "linalg.yield"(%4) : (f32) -> () loc(#loc16)
    }) : (memref<6x5xf32>, memref<6x5xf32>, memref<6x5xf32>) -> () loc(#loc16)
    "memref.dealloc"(%3) : (memref<6x5xf32>) -> () loc(#loc18)
    "func.return"() : () -> () loc(#loc19)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("linalg-between-loops.mlir":0:0)
#loc1 = loc("linalg-between-loops.mlir":1:1)
#loc5 = loc("linalg-between-loops.mlir":2:9)
#loc6 = loc("linalg-between-loops.mlir":3:9)
#loc7 = loc("linalg-between-loops.mlir":4:10)
#loc8 = loc("linalg-between-loops.mlir":5:8)
#loc9 = loc("linalg-between-loops.mlir":6:3)
#loc10 = loc("linalg-between-loops.mlir":7:3)
#loc12 = loc("linalg-between-loops.mlir":8:5)
#loc14 = loc("linalg-between-loops.mlir":10:12)
#loc15 = loc("linalg-between-loops.mlir":11:7)
#loc16 = loc("linalg-between-loops.mlir":14:3)
#loc18 = loc("linalg-between-loops.mlir":15:3)
#loc19 = loc("linalg-between-loops.mlir":16:3)

