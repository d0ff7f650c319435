#loc2 = loc("zero-trips.mlir":1:17)
#loc3 = loc("zero-trips.mlir":1:36)
#loc8 = loc("zero-trips.mlir":5:16)
#loc9 = loc("zero-trips.mlir":5:50)
#loc14 = loc("zero-trips.mlir":10:19)
#loc15 = loc("zero-trips.mlir":10:49)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (3)>
#map2 = affine_map<()[s0] -> (s0)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32>, index) -> f32, sym_name = "main"}> ({
  ^bb0(%arg0: memref<?xf32> loc("zero-trips.mlir":1:17), %arg1: index loc("zero-trips.mlir":1:36)):
    %0 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32 loc(#loc4)
    %1 = "arith.constant"() <{value = 2 : index}> : () -> index loc(#loc5)
    %2 = "arith.constant"() <{value = 5 : index}> : () -> index loc(#loc6)
    %3 = "scf.for"(%2, %arg1, %1, %0) ({
    ^bb0(%arg4: index loc("zero-trips.mlir":5:16), %arg5: f32 loc("zero-trips.mlir":5:50)):
      %7 = "memref.load"(%arg0, %arg4) : (memref<?xf32>, index) -> f32 loc(#loc10)
      %8 = "arith.addf"(%arg5, %7) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc11)
      "scf.yield"(%8) : (f32) -> () loc(#loc12)
    }) : (index, index, index, f32) -> f32 loc(#loc7)
    %4 = "affine.for"(%arg1, %3) <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 1, 1>, step = 4 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg2: index loc("zero-trips.mlir":10:19), %arg3: f32 loc("zero-trips.mlir":10:49)):
      %5 = "affine.load"(%arg0, %arg2) <{map = #map}> : (memref<?xf32>, index) -> f32 loc(#loc16)
      %6 = "arith.mulf"(%arg3, %5) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc17)
      "affine.yield"(%6) : (f32) -> () loc(#loc18)
    }) : (index, f32) -> f32 loc(#loc13)
    "func.return"(%4) : (f32) -> () loc(#loc19)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("zero-trips.mlir":0:0)
#loc1 = loc("zero-trips.mlir":1:1)
#loc4 = loc("zero-trips.mlir":2:10)
#loc5 = loc("zero-trips.mlir":3:9)
#loc6 = loc("zero-trips.mlir":4:9)
#loc7 = loc("zero-trips.mlir":5:8)
#loc10 = loc("zero-trips.mlir":6:10)
#loc11 = loc("zero-trips.mlir":7:10)
#loc12 = loc("zero-trips.mlir":8:5)
#loc13 = loc("zero-trips.mlir":10:8)
#loc16 = loc("zero-trips.mlir":11:10)
#loc17 = loc("zero-trips.mlir":12:10)
#loc18 = loc("zero-trips.mlir":13:5)
#loc19 = loc("zero-trips.mlir":15:3)

