#loc2 = loc("tensor-dynamic-tiles.mlir":2:17)
#loc3 = loc("tensor-dynamic-tiles.mlir":2:38)
#loc9 = loc("tensor-dynamic-tiles.mlir":7:16)
#loc10 = loc("tensor-dynamic-tiles.mlir":7:50)
#loc16 = loc(unknown)
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<?x6xf32> loc("tensor-dynamic-tiles.mlir":2:17), %arg1: tensor<?x6xf32> loc("tensor-dynamic-tiles.mlir":2:38)):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index loc(#loc4)
    %1 = "arith.constant"() <{value = 4 : index}> : () -> index loc(#loc5)
    %2 = "tensor.dim"(%arg0, %0) : (tensor<?x6xf32>, index) -> index loc(#loc6)
    %3 = "tensor.empty"(%2) : (index) -> tensor<?x6xf32> loc(#loc7)
    %4 = "scf.for"(%0, %2, %1, %3) ({
    ^bb0(%arg2: index loc("tensor-dynamic-tiles.mlir":7:16), %arg3: tensor<?x6xf32> loc("tensor-dynamic-tiles.mlir":7:50)):
      %5 = "affine.min"(%arg2, %2) <{map = #map}> : (index, index) -> index loc(#loc11)
      %6 = "tensor.extract_slice"(%arg0, %arg2, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 6>, static_strides = array<i64: 1, 1>}> : (tensor<?x6xf32>, index, index) -> tensor<?x6xf32> loc(#loc12)
      %7 = "tensor.extract_slice"(%arg1, %arg2, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 6>, static_strides = array<i64: 1, 1>}> : (tensor<?x6xf32>, index, index) -> tensor<?x6xf32> loc(#loc13)
      %8 = "tensor.extract_slice"(%arg3, %arg2, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 6>, static_strides = array<i64: 1, 1>}> : (tensor<?x6xf32>, index, index) -> tensor<?x6xf32> loc(#loc14)
      %9 = "linalg.map"(%6, %7, %8) ({
      ^bb0(%arg4: f32 loc(unknown), %arg5: f32 loc(unknown), %arg6: f32 loc(unknown)):
        %11 = "arith.addf"(%arg4, %arg5) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32 loc(#loc15)
        "linalg.yield"(%11) : (f32) -> () loc(#loc15)
      }) : (tensor<?x6xf32>, tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32> loc(#loc15)
      %10 = "tensor.insert_slice"(%9, %arg3, %arg2, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: -9223372036854775808, 6>, static_strides = array<i64: 1, 1>}> : (tensor<?x6xf32>, tensor<?x6xf32>, index, index) -> tensor<?x6xf32> loc(#loc17)
      "scf.yield"(%10) : (tensor<?x6xf32>) -> () loc(#loc18)
    }) : (index, index, index, tensor<?x6xf32>) -> tensor<?x6xf32> loc(#loc8)
    "func.return"(%4) : (tensor<?x6xf32>) -> () loc(#loc19)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("tensor-dynamic-tiles.mlir":0:0)
#loc1 = loc("tensor-dynamic-tiles.mlir":2:1)
#loc4 = loc("tensor-dynamic-tiles.mlir":3:9)
#loc5 = loc("tensor-dynamic-tiles.mlir":4:9)
#loc6 = loc("tensor-dynamic-tiles.mlir":5:8)
#loc7 = loc("tensor-dynamic-tiles.mlir":6:8)
#loc8 = loc("tensor-dynamic-tiles.mlir":7:8)
#loc11 = loc("tensor-dynamic-tiles.mlir":8:10)
#loc12 = loc("tensor-dynamic-tiles.mlir":9:10)
#loc13 = loc("tensor-dynamic-tiles.mlir":10:10)
#loc14 = loc("tensor-dynamic-tiles.mlir":11:10)
#loc15 = loc("tensor-dynamic-tiles.mlir":12:10)
#loc17 = loc("tensor-dynamic-tiles.mlir":13:10)
#loc18 = loc("tensor-dynamic-tiles.mlir":14:5)
#loc19 = loc("tensor-dynamic-tiles.mlir":16:3)

