#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> (0)>
#map2 = affine_map<() -> (12)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<12xf32>, memref<12xf32>, f32) -> f32, sym_name = "scale", sym_visibility = "private"}> ({
  ^bb0(%arg3: memref<12xf32>, %arg4: memref<12xf32>, %arg5: f32):
    %3 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %4 = "affine.for"(%3) <{lowerBoundMap = #map1, operandSegmentSizes = array<i32: 0, 0, 1>, step = 1 : index, upperBoundMap = #map2}> ({
    ^bb0(%arg6: index, %arg7: f32):
      %5 = "affine.load"(%arg3, %arg6) <{map = #map}> : (memref<12xf32>, index) -> f32
      %6 = "arith.mulf"(%5, %arg5) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "affine.store"(%6, %arg4, %arg6) <{map = #map}> : (f32, memref<12xf32>, index) -> ()
      %7 = "arith.addf"(%arg7, %6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "affine.yield"(%7) : (f32) -> ()
    }) : (f32) -> f32
    "func.return"(%4) : (f32) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (memref<12xf32>, memref<12xf32>, f32) -> f32, sym_name = "main"}> ({
  ^bb0(%arg0: memref<12xf32>, %arg1: memref<12xf32>, %arg2: f32):
    %0 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<12xf32>
    %1 = "func.call"(%arg0, %0, %arg2) <{callee = @scale}> : (memref<12xf32>, memref<12xf32>, f32) -> f32
    %2 = "func.call"(%0, %arg1, %1) <{callee = @scale}> : (memref<12xf32>, memref<12xf32>, f32) -> f32
    "memref.dealloc"(%0) : (memref<12xf32>) -> ()
    "func.return"(%2) : (f32) -> ()
  }) : () -> ()
}) : () -> ()

