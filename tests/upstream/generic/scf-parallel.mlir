"builtin.module"() ({
  "func.func"() <{function_type = (memref<10x6xf32>, memref<10x6xf32>, memref<f32>) -> (), sym_name = "main"}> ({
  ^bb0(%arg0: memref<10x6xf32>, %arg1: memref<10x6xf32>, %arg2: memref<f32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 2 : index}> : () -> index
    %3 = "arith.constant"() <{value = 10 : index}> : () -> index
    %4 = "arith.constant"() <{value = 6 : index}> : () -> index
    %5 = "arith.constant"() <{value = 3.000000e+00 : f32}> : () -> f32
    "scf.parallel"(%0, %0, %3, %4, %1, %2) <{operandSegmentSizes = array<i32: 2, 2, 2, 0>}> ({
    ^bb0(%arg6: index, %arg7: index):
      %9 = "memref.load"(%arg0, %arg6, %arg7) : (memref<10x6xf32>, index, index) -> f32
      %10 = "arith.negf"(%9) <{fastmath = #arith.fastmath<none>}> : (f32) -> f32
      "memref.store"(%10, %arg1, %arg6, %arg7) : (f32, memref<10x6xf32>, index, index) -> ()
      "scf.reduce"() : () -> ()
    }) : (index, index, index, index, index, index) -> ()
    %6 = "scf.parallel"(%0, %3, %1, %5) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
    ^bb0(%arg3: index):
      %7 = "memref.load"(%arg0, %arg3, %2) : (memref<10x6xf32>, index, index) -> f32
      "scf.reduce"(%7) ({
      ^bb0(%arg4: f32, %arg5: f32):
        %8 = "arith.addf"(%arg4, %arg5) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
        "scf.reduce.return"(%8) : (f32) -> ()
      }) : (f32) -> ()
    }) : (index, index, index, f32) -> f32
    "memref.store"(%6, %arg2) : (f32, memref<f32>) -> ()
    "func.return"() : () -> ()
  }) : () -> ()
}) : () -> ()

