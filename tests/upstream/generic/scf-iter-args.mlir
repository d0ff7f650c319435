"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32>) -> (f32, f32), sym_name = "main"}> ({
  ^bb0(%arg0: memref<?xf32>):
    %0 = "arith.constant"() <{value = 0 : index}> : () -> index
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %3 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %4 = "memref.dim"(%arg0, %0) : (memref<?xf32>, index) -> index
    %5:2 = "scf.for"(%0, %4, %1, %2, %3) ({
    ^bb0(%arg1: index, %arg2: f32, %arg3: f32):
      %6 = "memref.load"(%arg0, %arg1) : (memref<?xf32>, index) -> f32
      %7 = "arith.addf"(%arg2, %6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %8 = "arith.mulf"(%arg3, %6) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      "scf.yield"(%7, %8) : (f32, f32) -> ()
    }) : (index, index, index, f32, f32) -> (f32, f32)
    "func.return"(%5#0, %5#1) : (f32, f32) -> ()
  }) : () -> ()
}) : () -> ()

