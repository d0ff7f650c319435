// f16, bf16 and f64 in one body.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<32xf16>, %arg1: memref<32xbf16>, %arg2: memref<32xf64>, %out: memref<32xf16> {tw.name = "out0", tw.output}, %out_1: memref<32xbf16> {tw.name = "out1", tw.output})
// CHECK: loop.for %i0 = 0 to 32
// CHECK: loop.store %7, %out[%i0] : memref<32xf16>
// CHECK: loop.for %i0_1 = 0 to 32
// CHECK: loop.store %13, %out_1[%i0_1] : memref<32xbf16>

#map = affine_map<(d0) -> (d0)>
module {
  func.func @main(%arg0: tensor<32xf16>, %arg1: tensor<32xbf16>, %arg2: tensor<32xf64>) -> (tensor<32xf16>, tensor<32xbf16>) {
    %0 = tensor.empty() : tensor<32xf16>
    %1 = tensor.empty() : tensor<32xbf16>
    %2:2 = linalg.generic {indexing_maps = [#map, #map, #map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1, %arg2 : tensor<32xf16>, tensor<32xbf16>, tensor<32xf64>) outs(%0, %1 : tensor<32xf16>, tensor<32xbf16>) {
    ^bb0(%in: f16, %in_0: bf16, %in_1: f64, %out: f16, %out_2: bf16):
      %3 = arith.truncf %in_1 : f64 to f32
      %4 = arith.extf %in_0 : bf16 to f32
      %5 = arith.addf %3, %4 : f32
      %6 = arith.truncf %5 : f32 to f16
      %7 = arith.mulf %6, %in : f16
      %8 = arith.truncf %5 : f32 to bf16
      linalg.yield %7, %8 : f16, bf16
    } -> (tensor<32xf16>, tensor<32xbf16>)
    return %2#0, %2#1 : tensor<32xf16>, tensor<32xbf16>
  }
}
