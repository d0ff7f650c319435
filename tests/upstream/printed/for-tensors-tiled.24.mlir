#loc2 = loc("for-tensors-tiled.mlir":1:17)
#loc3 = loc("for-tensors-tiled.mlir":1:40)
#loc4 = loc("for-tensors-tiled.mlir":1:62)
#loc11 = loc("for-tensors-tiled.mlir":7:16)
#loc12 = loc("for-tensors-tiled.mlir":7:52)
#loc14 = loc("for-tensors-tiled.mlir":8:18)
#loc15 = loc("for-tensors-tiled.mlir":8:53)
#loc21 = loc(unknown)
#map = affine_map<(d0) -> (-d0 + 12, 5)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<12x16xf32>, tensor<16x8xf32>, tensor<12x8xf32>) -> tensor<12x8xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<12x16xf32> loc("for-tensors-tiled.mlir":1:17), %arg1: tensor<16x8xf32> loc("for-tensors-tiled.mlir":1:40), %arg2: tensor<12x8xf32> loc("for-tensors-tiled.mlir":1:62)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc5)
    %1 = "arith.constant"() <{value = 4 : index}> : () -> index loc(#loc6)
    %2 = "arith.constant"() <{value = 5 : index}> : () -> index loc(#loc7)
    %3 = "arith.constant"() <{value = 8 : index}> : () -> index loc(#loc8)
    %4 = "arith.constant"() <{value = 12 : index}> : () -> index loc(#loc9)
    %5 = "scf.for"(%0, %4, %2, %arg2) ({
    ^bb0(%arg3: index loc("for-tensors-tiled.mlir":7:16), %arg4: tensor<12x8xf32> loc("for-tensors-tiled.mlir":7:52)):
      %6 = "scf.for"(%0, %3, %1, %arg4) ({
      ^bb0(%arg5: index loc("for-tensors-tiled.mlir":8:18), %arg6: tensor<12x8xf32> loc("for-tensors-tiled.mlir":8:53)):
        %7 = "affine.min"(%arg3) <{map = #map}> : (index) -> index loc(#loc16)
        %8 = "tensor.extract_slice"(%arg0, %arg3, %7) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 16>, static_strides = array<i64: 1, 1>}> : (tensor<12x16xf32>, index, index) -> tensor<?x16xf32> loc(#loc17)
        %9 = "tensor.extract_slice"(%arg1, %arg5) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808>, static_sizes = array<i64: 16, 4>, static_strides = array<i64: 1, 1>}> : (tensor<16x8xf32>, index) -> tensor<16x4xf32> loc(#loc18)
        %10 = "tensor.extract_slice"(%arg6, %arg3, %arg5, %7) <{operandSegmentSizes = array<i32: 1, 2, 1, 0>, static_offsets = array<i64: -9223372036854775808, -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 1, 1>}> : (tensor<12x8xf32>, index, index, index) -> tensor<?x4xf32> loc(#loc19)
        %11 = "linalg.matmul"(%8, %9, %10) <{indexing_maps = [#map1, #map2, #map3], operandSegmentSizes = array<i32: 2, 1>}> ({
        ^bb0(%arg7: f32 loc(unknown), %arg8: f32 loc(unknown), %arg9: f32 loc(unknown)):
          %13 = "arith.mulf"(%arg7, %arg8) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc21)
          %14 = "arith.addf"(%arg9, %13) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc21)
          "linalg.yield"(%14) : (f32) -> () loc(#loc21)
        }) : (tensor<?x16xf32>, tensor<16x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32> loc(#loc20)
        %12 = "tensor.insert_slice"(%11, %arg6, %arg3, %arg5, %7) <{operandSegmentSizes = array<i32: 1, 1, 2, 1, 0>, static_offsets = array<i64: -9223372036854775808, -9223372036854775808>, static_sizes = array<i64: -9223372036854775808, 4>, static_strides = array<i64: 1, 1>}> : (tensor<?x4xf32>, tensor<12x8xf32>, index, index, index) -> tensor<12x8xf32> loc(#loc22)
        "scf.yield"(%12) : (tensor<12x8xf32>) -> () loc(#loc23)
      }) : (index, index, index, tensor<12x8xf32>) -> tensor<12x8xf32> loc(#loc13)
      "scf.yield"(%6) : (tensor<12x8xf32>) -> () loc(#loc24)
    }) : (index, index, index, tensor<12x8xf32>) -> tensor<12x8xf32> loc(#loc10)
    "func.return"(%5) : (tensor<12x8xf32>) -> () loc(#loc25)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("for-tensors-tiled.mlir":0:0)
#loc1 = loc("for-tensors-tiled.mlir":1:1)
#loc5 = loc("for-tensors-tiled.mlir":2:9)
#loc6 = loc("for-tensors-tiled.mlir":3:9)
#loc7 = loc("for-tensors-tiled.mlir":4:9)
#loc8 = loc("for-tensors-tiled.mlir":5:9)
#loc9 = loc("for-tensors-tiled.mlir":6:10)
#loc10 = loc("for-tensors-tiled.mlir":7:8)
#loc13 = loc("for-tensors-tiled.mlir":8:10)
#loc16 = loc("for-tensors-tiled.mlir":9:12)
#loc17 = loc("for-tensors-tiled.mlir":10:12)
#loc18 = loc("for-tensors-tiled.mlir":11:12)
#loc19 = loc("for-tensors-tiled.mlir":12:12)
#loc20 = loc("for-tensors-tiled.mlir":13:12)
#loc22 = loc("for-tensors-tiled.mlir":14:12)
#loc23 = loc("for-tensors-tiled.mlir":15:7)
#loc24 = loc("for-tensors-tiled.mlir":17:5)
#loc25 = loc("for-tensors-tiled.mlir":19:3)

