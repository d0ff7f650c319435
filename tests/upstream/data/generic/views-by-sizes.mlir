"builtin.module"() ({
  "func.func"() <{function_type = (memref<?x?xf32>, memref<?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 2 : index}> : () -> index
    %3 = "memref.dim"(%arg0, %0) : (memref<?x?xf32>, index) -> index
    %4 = "memref.dim"(%arg0, %1) : (memref<?x?xf32>, index) -> index
    %5 = "arith.subi"(%3, %1) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
    %6 = "memref.subview"(%arg0, %5, %4) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 1, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<?x?xf32>, index, index) -> memref<?x?xf32, strided<[?, 1], offset: ?>>
    %7 = "memref.dim"(%6, %0) : (memref<?x?xf32, strided<[?, 1], offset: ?>>, index) -> index
    "scf.for"(%0, %7, %1) ({
    ^bb0(%arg4: index):
      %12 = "memref.subview"(%6, %arg4, %4) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<?x?xf32, strided<[?, 1], offset: ?>>, index, index) -> memref<?xf32, strided<[1], offset: ?>>
      "linalg.add"(%12, %arg1, %12) <{operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg5: f32, %arg6: f32, %arg7: f32):
        %13 = "arith.addf"(%arg5, %arg6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "linalg.yield"(%13) : (f32) -> ()
      }) : (memref<?xf32, strided<[1], offset: ?>>, memref<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
      "scf.yield"() : () -> ()
    }) : (index, index, index) -> ()
    %8 = "memref.dim"(%arg1, %0) : (memref<?xf32>, index) -> index
    %9 = "arith.floordivsi"(%8, %2) : (index, index) -> index
    %10 = "memref.subview"(%arg1, %9, %2) <{operandSegmentSizes = array<i32: 1, 0, 1, 1>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: -9223372036854775808>}> : (memref<?xf32>, index, index) -> memref<?xf32, strided<[?]>>
    %11 = "arith.constant"() <{value = 3.000000e+00 : f32}> : () -> f32
    "linalg.fill"(%11, %10) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg2: f32, %arg3: f32):
      "linalg.yield"(%arg2) : (f32) -> ()
    }) : (f32, memref<?xf32, strided<[?]>>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
