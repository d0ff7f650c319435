// RUN: ROUNDTRIP

// CHECK-LABEL: func.func @main(
func.func @main(%x: tensor<8xf32>, %c: tensor<i1>) -> (tensor<8xf32>, tensor<3x8xf32>) {
  // CHECK-NEXT: %y = te.if %c -> (tensor<8xf32>) {
  // CHECK-NEXT:   te.yield %x : tensor<8xf32>
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   te.yield %x : tensor<8xf32>
  %y = te.if %c -> (tensor<8xf32>) {
    te.yield %x : tensor<8xf32>
  } else {
    te.yield %x : tensor<8xf32>
  }
  // CHECK: %last, %all = te.loop %k to 3 carry (%h = %x : tensor<8xf32>) -> (tensor<8xf32>, tensor<3x8xf32>) {
  // CHECK-NEXT: te.yield %h, %h : tensor<8xf32>, tensor<8xf32>
  %last, %all = te.loop %k to 3 carry (%h = %x : tensor<8xf32>) -> (tensor<8xf32>, tensor<3x8xf32>) {
    te.yield %h, %h : tensor<8xf32>, tensor<8xf32>
  }
  func.return %y, %all : tensor<8xf32>, tensor<3x8xf32>
}
