#loc3 = loc("memory-spaces.mlir":2:26)
#loc4 = loc("memory-spaces.mlir":2:48)
#loc6 = loc("memory-spaces.mlir":3:14)
#loc12 = loc("memory-spaces.mlir":10:17)
#loc13 = loc("memory-spaces.mlir":10:39)
#loc17 = loc("memory-spaces.mlir":13:14)
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (4)>
"builtin.module"() ({
  "memref.global"() <{constant, initial_value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>, sym_name = "w", type = memref<4xf32, 1>}> : () -> () loc(#loc1)
  "func.func"() <{function_type = (memref<4xf32, 2>, memref<4xf32>) -> (), sym_name = "twice", sym_visibility = "private"}> ({
  ^bb0(%arg3: memref<4xf32, 2> loc("memory-spaces.mlir":2:26), %arg4: memref<4xf32> loc("memory-spaces.mlir":2:48)):
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg5: index loc("memory-spaces.mlir":3:14)):
      %7 = "affine.load"(%arg3, %arg5) <{map = #map}> : (memref<4xf32, 2>, index) -> f32 loc(#loc7)
      %8 = "arith.addf"(%7, %7) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc8)
      "affine.store"(%8, %arg4, %arg5) <{map = #map}> : (f32, memref<4xf32>, index) -> () loc(#loc9)
      "affine.yield"() : () -> () loc(#loc5)
    }) : () -> () loc(#loc5)
    "func.return"() : () -> () loc(#loc10)
  }) : () -> () loc(#loc2)
  "func.func"() <{function_type = (memref<4xf32, 1>, memref<4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4xf32, 1> loc("memory-spaces.mlir":10:17), %arg1: memref<4xf32> loc("memory-spaces.mlir":10:39)):
    %0 = "memref.get_global"() <{name = @w}> : () -> memref<4xf32, 1> loc(#loc14)
    %1 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf32, 2> loc(#loc15)
    "affine.for"() <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 0>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg2: index loc("memory-spaces.mlir":13:14)):
      %4 = "affine.load"(%arg0, %arg2) <{map = #map}> : (memref<4xf32, 1>, index) -> f32 loc(#loc18)
      %5 = "affine.load"(%0, %arg2) <{map = #map}> : (memref<4xf32, 1>, index) -> f32 loc(#loc19)
      %6 = "arith.mulf"(%4, %5) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc20)
      "affine.store"(%6, %1, %arg2) <{map = #map}> : (f32, memref<4xf32, 2>, index) -> () loc(#loc21)
      "affine.yield"() : () -> () loc(#loc16)
    }) : () -> () loc(#loc16)
    "func.call"(%1, %arg1) <{callee = @twice}> : (memref<4xf32, 2>, memref<4xf32>) -> () loc(#loc22)
    %2 = "memref.memory_space_cast"(%arg1) : (memref<4xf32>) -> memref<4xf32, 3> loc(#loc23)
    %3 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32 loc(#loc24)
    "affine.store"(%3, %2) <{map = #map1}> : (f32, memref<4xf32, 3>) -> () loc(#loc25)
    "memref.dealloc"(%1) : (memref<4xf32, 2>) -> () loc(#loc26)
    "func.return"() : () -> () loc(#loc27)
  }) : () -> () loc(#loc11)
}) : () -> () loc(#loc)
#loc = loc("memory-spaces.mlir":0:0)
#loc1 = loc("memory-spaces.mlir":1:1)
#loc2 = loc("memory-spaces.mlir":2:1)
#loc5 = loc("memory-spaces.mlir":3:3)
#loc7 = loc("memory-spaces.mlir":4:10)
#loc8 = loc("memory-spaces.mlir":5:10)
#loc9 = loc("memory-spaces.mlir":6:5)
#loc10 = loc("memory-spaces.mlir":8:3)
#loc11 = loc("memory-spaces.mlir":10:1)
#loc14 = loc("memory-spaces.mlir":11:8)
#loc15 = loc("memory-spaces.mlir":12:8)
#loc16 = loc("memory-spaces.mlir":13:3)
#loc18 = loc("memory-spaces.mlir":14:10)
#loc19 = loc("memory-spaces.mlir":15:10)
#loc20 = loc("memory-spaces.mlir":16:10)
#loc21 = loc("memory-spaces.mlir":17:5)
#loc22 = loc("memory-spaces.mlir":19:3)
#loc23 = loc("memory-spaces.mlir":20:8)
#loc24 = loc("memory-spaces.mlir":21:10)
#loc25 = loc("memory-spaces.mlir":22:3)
#loc26 = loc("memory-spaces.mlir":23:3)
#loc27 = loc("memory-spaces.mlir":24:3)

