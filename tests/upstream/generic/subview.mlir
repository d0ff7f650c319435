"builtin.module"() ({
  "func.func"() <{function_type = (memref<16x16xf32>, memref<4x5xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<16x16xf32>, %arg1: memref<4x5xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 4 : index}> : () -> index
    %2 = "arith.constant"() <{value = 12 : index}> : () -> index
    %3 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %4 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 2, 3>, static_sizes = array<i64: 4, 5>, static_strides = array<i64: 2, 1>}> : (memref<16x16xf32>) -> memref<4x5xf32, strided<[32, 1], offset: 35>>
    "memref.copy"(%4, %arg1) : (memref<4x5xf32, strided<[32, 1], offset: 35>>, memref<4x5xf32>) -> ()
    "scf.for"(%0, %2, %1) ({
    ^bb0(%arg2: index):
      %7 = "memref.subview"(%arg0, %arg2, %arg2) <{operandSegmentSizes = array<i32: 1, 2, 0, 0>, static_offsets = array<i64: -9223372036854775808, -9223372036854775808>, static_sizes = array<i64: 4, 4>, static_strides = array<i64: 1, 1>}> : (memref<16x16xf32>, index, index) -> memref<4x4xf32, strided<[16, 1], offset: ?>>
      "linalg.fill"(%3, %7) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg3: f32, %arg4: f32):
        "linalg.yield"(%arg3) : (f32) -> ()
      }) : (f32, memref<4x4xf32, strided<[16, 1], offset: ?>>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %5 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 15, 0>, static_sizes = array<i64: 1, 16>, static_strides = array<i64: 1, 1>}> : (memref<16x16xf32>) -> memref<16xf32, strided<[1], offset: 240>>
    %6 = "memref.load"(%5, %1) : (memref<16xf32, strided<[1], offset: 240>>, index) -> f32
    "memref.store"(%6, %5, %0) : (f32, memref<16xf32, strided<[1], offset: 240>>, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

