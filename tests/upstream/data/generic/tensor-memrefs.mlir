"builtin.module"() ({
  "func.func"() <{function_type = (memref<8xf32>, memref<8xf32>, memref<8xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<8xf32>, %arg1: memref<8xf32>, %arg2: memref<8xf32>):
    %0 = "bufferization.to_tensor"(%arg0) <{restrict}> : (memref<8xf32>) -> tensor<8xf32>
    %1 = "bufferization.alloc_tensor"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> tensor<8xf32>
    %2 = "linalg.add"(%0, %0, %1) <{operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg3: f32, %arg4: f32, %arg5: f32):
      %6 = "arith.addf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "linalg.yield"(%6) : (f32) -> ()
    }) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    "bufferization.materialize_in_destination"(%2, %arg1) <{restrict, writable}> : (tensor<8xf32>, memref<8xf32>) -> ()
    %3 = "bufferization.alloc_tensor"(%2) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<8xf32>) -> tensor<8xf32>
    %4 = "bufferization.to_buffer"(%3) : (tensor<8xf32>) -> memref<8xf32>
    %5 = "bufferization.clone"(%4) : (memref<8xf32>) -> memref<8xf32>
    "memref.copy"(%5, %arg2) : (memref<8xf32>, memref<8xf32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()
