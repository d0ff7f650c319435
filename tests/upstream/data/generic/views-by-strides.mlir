#map = affine_map<()[s0, s1] -> (s0 * s1)>
"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x?xf32>, memref<?x?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "memref.dim"(%arg0, %0) : (memref<?x?xf32>, index) -> index
    %3 = "memref.dim"(%arg0, %1) : (memref<?x?xf32>, index) -> index
    "scf.for"(%0, %2, %1) ({
    ^bb0(%arg2: index):
      %4:6 = "memref.extract_strided_metadata"(%arg0) : (memref<?x?xf32>) -> (memref<f32>, index, index, index, index, index)
      %5 = "affine.apply"(%arg2, %4#4) <{map = #map}> : (index, index) -> index
      %6 = "memref.reinterpret_cast"(%4#0, %5, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<f32>, index, index) -> memref<?xf32, strided<[1], offset: ?>>
      %7:6 = "memref.extract_strided_metadata"(%arg1) : (memref<?x?xf32>) -> (memref<f32>, index, index, index, index, index)
      %8 = "affine.apply"(%arg2, %7#4) <{map = #map}> : (index, index) -> index
      %9 = "memref.reinterpret_cast"(%7#0, %8, %3) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (memref<f32>, index, index) -> memref<?xf32, strided<[1], offset: ?>>
      "memref.copy"(%6, %9) : (memref<?xf32, strided<[1], offset: ?>>, memref<?xf32, strided<[1], offset: ?>>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
