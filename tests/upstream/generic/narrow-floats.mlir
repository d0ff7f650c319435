#map = affine_map<(d0) -> (d0)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<32xf16>, tensor<32xbf16>, tensor<32xf64>) -> (tensor<32xf16>, tensor<32xbf16>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<32xf16>, %arg1: tensor<32xbf16>, %arg2: tensor<32xf64>):
    %0 = "tensor.empty"() : () -> tensor<32xf16>
    %1 = "tensor.empty"() : () -> tensor<32xbf16>
    %2:2 = "linalg.generic"(%arg0, %arg1, %arg2, %0, %1) <{indexing_maps = [#map, #map, #map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 3, 2>}> ({
    ^bb0(%arg3: f16, %arg4: bf16, %arg5: f64, %arg6: f16, %arg7: bf16):
      %3 = "arith.truncf"(%arg5) : (f64) -> f32
      %4 = "arith.extf"(%arg4) : (bf16) -> f32
      %5 = "arith.addf"(%3, %4) <{fastmath = #arith.fastmath<none>}> : (f32, f32) -> f32
      %6 = "arith.truncf"(%5) : (f32) -> f16
      %7 = "arith.mulf"(%6, %arg3) <{fastmath = #arith.fastmath<none>}> : (f16, f16) -> f16
      %8 = "arith.truncf"(%5) : (f32) -> bf16
      "linalg.yield"(%7, %8) : (f16, bf16) -> ()
    }) : (tensor<32xf16>, tensor<32xbf16>, tensor<32xf64>, tensor<32xf16>, tensor<32xbf16>) -> (tensor<32xf16>, tensor<32xbf16>)
    "func.return"(%2#0, %2#1) : (tensor<32xf16>, tensor<32xbf16>) -> ()
  }) : () -> ()
}) : () -> ()

