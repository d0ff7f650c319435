"builtin.module"() ({
  "func.func"() <{function_type = (memref<6x7xf32>, memref<6x7xf32>, memref<6x7xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<6x7xf32>, %arg1: memref<6x7xf32>, %arg2: memref<6x7xf32>):
    %0 = "arith.constant"() <{value = 2.500000e+00 : f32}> : () -> f32
    "linalg.fill"(%0, %arg1) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg5: f32, %arg6: f32):
      "linalg.yield"(%arg5) : (f32) -> ()
    }) : (f32, memref<6x7xf32>) -> ()
    "memref.copy"(%arg0, %arg2) : (memref<6x7xf32>, memref<6x7xf32>) -> ()
    "linalg.copy"(%arg1, %arg0) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg3: f32, %arg4: f32):
      "linalg.yield"(%arg3) : (f32) -> ()
    }) : (memref<6x7xf32>, memref<6x7xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

