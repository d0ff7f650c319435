"builtin.module"() ({
  "func.func"() <{function_type = (memref<4x4xf32>, memref<4x4xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<4x4xf32>, %arg1: memref<4x4xf32>):
    %0 = "arith.constant"() <{value = 64 : index}> : () -> index
    %1 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<256xi8>
    %2 = "memref.view"(%1, %0) : (memref<256xi8>, index) -> memref<4x4xf32>
    "memref.copy"(%arg0, %2) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
    "memref.alloca_scope"() ({
      %3 = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4x4xf32>
      "memref.copy"(%2, %3) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
      "linalg.add"(%3, %2, %arg1) <{operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg2: f32, %arg3: f32, %arg4: f32):
        %4 = "arith.addf"(%arg2, %arg3) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "linalg.yield"(%4) : (f32) -> ()
      }) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
      "memref.alloca_scope.return"() : () -> ()
    }) : () -> ()
    "memref.dealloc"(%1) : (memref<256xi8>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
