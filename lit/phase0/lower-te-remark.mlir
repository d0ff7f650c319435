// RUN: opt-tool --pass lower-te --remarks %s 2>&1 | filecheck %s

// CASE remarks: a sum of narrow floats keeps their type, unless its terms were cast; a maximum has nothing to lose.
// CHECK: remark[TW0424]: compute 'narrow' accumulates in bfloat16
// CHECK-NOT: TW0424
func.func @main(%a: tensor<4x8xbf16>) -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xbf16>) {
  %narrow = te.compute "narrow" [%i to 4] reduce [%k to 8] -> tensor<4xbf16> {
    %0 = te.read %a[%i, %k] : tensor<4x8xbf16>
    te.reduce <add> %0 : bf16
  }
  %wide = te.compute "wide" [%i to 4] reduce [%k to 8] -> tensor<4xf32> {
    %0 = te.read %a[%i, %k] : tensor<4x8xbf16>
    %1 = arith.extf %0 : bf16 to f32
    te.reduce <add> %1 : f32
  }
  %greatest = te.compute "greatest" [%i to 4] reduce [%k to 8] -> tensor<4xbf16> {
    %0 = te.read %a[%i, %k] : tensor<4x8xbf16>
    te.reduce <max> %0 : bf16
  }
  func.return %narrow, %wide, %greatest : tensor<4xbf16>, tensor<4xf32>, tensor<4xbf16>
}
