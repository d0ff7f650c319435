"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x8xf32, strided<[?, ?], offset: ?>>, memref<?x8xf32, strided<[?, 1], offset: ?>>) -> memref<4x8xf32, strided<[?, ?], offset: ?>>, sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x8xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x8xf32, strided<[?, 1], offset: ?>>):
    %0 = "memref.subview"(%arg1) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 4, 8>, static_strides = array<i64: 1, 1>}> : (memref<?x8xf32, strided<[?, 1], offset: ?>>) -> memref<4x8xf32, strided<[?, 1], offset: ?>>
    "linalg.add"(%arg0, %0, %arg0) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg2: f32, %arg3: f32, %arg4: f32):
      %1 = "arith.addf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%1) : (f32) -> ()
    }) : (memref<4x8xf32, strided<[?, ?], offset: ?>>, memref<4x8xf32, strided<[?, 1], offset: ?>>, memref<4x8xf32, strided<[?, ?], offset: ?>>) -> ()
    "func.return"(%arg0) : (memref<4x8xf32, strided<[?, ?], offset: ?>>) -> ()
  }) : () -> ()
}) : () -> ()
