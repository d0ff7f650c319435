#loc2 = loc("forall-tiles.mlir":2:17)
#loc3 = loc("forall-tiles.mlir":2:40)
#loc4 = loc("forall-tiles.mlir":2:62)
#loc7 = loc("forall-tiles.mlir":4:20)
#loc8 = loc("forall-tiles.mlir":4:24)
#loc9 = loc("forall-tiles.mlir":4:72)
#loc15 = loc(unknown)
#map = affine_map<(d0) -> (5, -d0 + 12)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<12x16xf32>, tensor<16x8xf32>, tensor<12x8xf32>) -> tensor<12x8xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<12x16xf32> loc("forall-tiles.mlir":2:17), %arg1: tensor<16x8xf32> loc("forall-tiles.mlir":2:40), %arg2: tensor<12x8xf32> loc("forall-tiles.mlir":2:62)):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32 loc(#loc5)
    %1 = "scf.forall"(%arg2) <{operandSegmentSizes = array<i32: 0, 0, 0, 1>, staticLowerBound = array<i64: 0, 0>, staticStep = array<i64: 5, 4>, staticUpperBound = array<i64: 12, 8>}> ({
    ^bb0(%arg3: index loc("forall-tiles.mlir":4:20), %arg4: index loc("forall-tiles.mlir":4:24), %arg5: tensor<12x8xf32> loc("forall-tiles.mlir":4:72)):
      %2 = "affine.min"(%arg3) <{map = #map}> : (index) -> index loc(#loc10)
      %3 = "tensor.extract_slice"(%arg0, %arg3, %2) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (tensor<12x16xf32>, index, index) -> tensor<?x16xf32> loc(#loc11)
      %4 = "tensor.extract_slice"(%arg1, %arg4) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 16, 4>, static_strides = array<i64: 1, 1>}> : (tensor<16x8xf32>, index) -> tensor<16x4xf32> loc(#loc12)
      %5 = "tensor.extract_slice"(%arg5, %arg3, %arg4, %2) <{operandSegmentSizes = array<i32: 1, 2, 1, 0>, static_offsets = array<i64: -9223372036854775808, -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 1, 1>}> : (tensor<12x8xf32>, index, index, index) -> tensor<?x4xf32> loc(#loc13)
      %6 = "linalg.fill"(%0, %5) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg9: f32 loc(unknown), %arg10: f32 loc(unknown)):
        "linalg.yield"(%arg9) : (f32) -> () loc(#loc15)
      }) : (f32, tensor<?x4xf32>) -> tensor<?x4xf32> loc(#loc14)
      %7 = "linalg.matmul"(%3, %4, %6) <{indexing_maps = [#map1, #map2, #map3], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg6: f32 loc(unknown), %arg7: f32 loc(unknown), %arg8: f32 loc(unknown)):
        %8 = "arith.mulf"(%arg6, %arg7) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc15)
        %9 = "arith.addf"(%arg8, %8) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc15)
        "linalg.yield"(%9) : (f32) -> () loc(#loc15)
      }) : (tensor<?x16xf32>, tensor<16x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32> loc(#loc16)
      "scf.forall.in_parallel"() ({
        "tensor.parallel_insert_slice"(%7, %arg5, %arg3, %arg4, %2) <{operandSegmentSizes = array<i32: 1, 1, 2, 1, 0>, static_offsets = array<i64: -9223372036854775808, -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf32>, tensor<12x8xf32>, index, index, index) -> () loc(#loc18)
      }) : () -> () loc(#loc17)
    }) : (tensor<12x8xf32>) -> tensor<12x8xf32> loc(#loc6)
    "func.return"(%1) : (tensor<12x8xf32>) -> () loc(#loc19)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("forall-tiles.mlir":0:0)
#loc1 = loc("forall-tiles.mlir":2:1)
#loc5 = loc("forall-tiles.mlir":3:11)
#loc6 = loc("forall-tiles.mlir":4:8)
#loc10 = loc("forall-tiles.mlir":5:10)
#loc11 = loc("forall-tiles.mlir":6:10)
#loc12 = loc("forall-tiles.mlir":7:10)
#loc13 = loc("forall-tiles.mlir":8:10)
#loc14 = loc("forall-tiles.mlir":9:10)
#loc16 = loc("forall-tiles.mlir":10:10)
#loc17 = loc("forall-tiles.mlir":11:5)
#loc18 = loc("forall-tiles.mlir":12:7)
#loc19 = loc("forall-tiles.mlir":15:3)

