"builtin.module"() ({
  "func.func"() <{function_type = (memref<16x8xf32>, memref<4x4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<16x8xf32>, %arg1: memref<4x4xf32>):
    %0:6 = "memref.extract_strided_metadata"(%arg0) : (memref<16x8xf32>) -> (memref<f32>, index, index, index, index, index)
    %1 = "memref.reinterpret_cast"(%0#0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 19>, static_sizes = array<i64: 4, 4>, static_strides = array<i64: 16, 1>}> : (memref<f32>) -> memref<4x4xf32, strided<[16, 1], offset: 19>>
    "memref.copy"(%1, %arg1) : (memref<4x4xf32, strided<[16, 1], offset: 19>>, memref<4x4xf32>) -> ()
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index
    %3 = "arith.addi"(%0#2, %0#4) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %4 = "arith.index_cast"(%3) : (index) -> i32
    %5 = "arith.sitofp"(%4) : (i32) -> f32
    "memref.store"(%5, %arg1, %2, %2) : (f32, memref<4x4xf32>, index, index) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
