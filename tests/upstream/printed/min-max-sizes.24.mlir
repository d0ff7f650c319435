#loc2 = loc("min-max-sizes.mlir":1:17)
#loc3 = loc("min-max-sizes.mlir":1:37)
#loc7 = loc("min-max-sizes.mlir":4:14)
#loc11 = loc("min-max-sizes.mlir":7:13)
#loc16 = loc("min-max-sizes.mlir":12:13)
#map = affine_map<(d0) -> (8, -d0 + 30)>
#map1 = affine_map<(d0, d1) -> (d1 - d0 - 1)>
#map2 = affine_map<() -> (0)>
#map3 = affine_map<() -> (30)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<30xf32>, memref<30xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<30xf32> loc("min-max-sizes.mlir":1:17), %arg1: memref<30xf32> loc("min-max-sizes.mlir":1:37)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc4)
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index loc(#loc5)
    "affine.for"() <{lowerBoundMap = #map2, operandSegmentSizes = array<i32: 0, 0, 0>, step = 8 : index, upperBoundMap = #map3}> ({
    ^bb0(%arg2: index loc("min-max-sizes.mlir":4:14)):
      %2 = "affine.min"(%arg2) <{map = #map}> : (index) -> index loc(#loc8)
      %3 = "memref.alloc"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (index) -> memref<?xf32> loc(#loc9)
      "scf.for"(%0, %2, %1) ({
      ^bb0(%arg4: index loc("min-max-sizes.mlir":7:13)):
        %7 = "arith.addi"(%arg2, %arg4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc(#loc12)
        %8 = "memref.load"(%arg0, %7) : (memref<30xf32>, index) -> f32 loc(#loc13)
        "memref.store"(%8, %3, %arg4) : (f32, memref<?xf32>, index) -> () loc(#loc14)
        "scf.yield"() : () -> () loc(#loc10)
      }) : (index, index, index) -> () loc(#loc10)
      "scf.for"(%0, %2, %1) ({
      ^bb0(%arg3: index loc("min-max-sizes.mlir":12:13)):
        %4 = "affine.apply"(%arg3, %2) <{map = #map1}> : (index, index) -> index loc(#loc17)
        %5 = "memref.load"(%3, %4) : (memref<?xf32>, index) -> f32 loc(#loc18)
        %6 = "arith.addi"(%arg2, %arg3) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index loc(#loc19)
        "memref.store"(%5, %arg1, %6) : (f32, memref<30xf32>, index) -> () loc(#loc20)
        "scf.yield"() : () -> () loc(#loc15)
      }) : (index, index, index) -> () loc(#loc15)
      "memref.dealloc"(%3) : (memref<?xf32>) -> () loc(#loc21)
      "affine.yield"() : () -> () loc(#loc6)
    }) : () -> () loc(#loc6)
    "func.return"() : () -> () loc(#loc22)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("min-max-sizes.mlir":0:0)
#loc1 = loc("min-max-sizes.mlir":1:1)
#loc4 = loc("min-max-sizes.mlir":2:9)
#loc5 = loc("min-max-sizes.mlir":3:9)
#loc6 = loc("min-max-sizes.mlir":4:3)
#loc8 = loc("min-max-sizes.mlir":5:10)
#loc9 = loc("min-max-sizes.mlir":6:12)
#loc10 = loc("min-max-sizes.mlir":7:5)
#loc12 = loc("min-max-sizes.mlir":8:12)
#loc13 = loc("min-max-sizes.mlir":9:12)
#loc14 = loc("min-max-sizes.mlir":10:7)
#loc15 = loc("min-max-sizes.mlir":12:5)
#loc17 = loc("min-max-sizes.mlir":13:12)
#loc18 = loc("min-max-sizes.mlir":14:12)
#loc19 = loc("min-max-sizes.mlir":15:12)
#loc20 = loc("min-max-sizes.mlir":16:7)
#loc21 = loc("min-max-sizes.mlir":18:5)
#loc22 = loc("min-max-sizes.mlir":20:3)

