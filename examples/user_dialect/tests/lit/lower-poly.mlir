// RUN: opt-tool --validate --pass lower-poly %s | filecheck %s

// CASE fires: Horner's rule, one product and one sum for each coefficient but the first.
// CHECK-LABEL: func.func @square(
// CHECK-SAME:    %[[X:.*]]: f32) -> f32 {
// CHECK-NEXT:    %[[Y:.*]] = arith.constant 3.000000e+00 : f32
// CHECK-NEXT:    %[[Y_1:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-NEXT:    %[[Y_2:.*]] = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    %[[Y_3:.*]] = arith.mulf %[[Y]], %[[X]] : f32
// CHECK-NEXT:    %[[Y_4:.*]] = arith.addf %[[Y_3]], %[[Y_1]] : f32
// CHECK-NEXT:    %[[Y_5:.*]] = arith.mulf %[[Y_4]], %[[X]] : f32
// CHECK-NEXT:    %[[Y_6:.*]] = arith.addf %[[Y_5]], %[[Y_2]] : f32
// CHECK-NEXT:    func.return %[[Y_6]] : f32
func.func @square(%x: f32) -> f32 {
  %y = poly.eval %x [3.0, 2.0, 1.0] : f32
  func.return %y : f32
}

// CASE fires: a vector has vectors of coefficients.
// CHECK-LABEL: func.func @vector(
// CHECK-SAME:    %[[X:.*]]: memref<4xf32>, %[[Y:.*]]: memref<4xf32> {tw.output}) {
// CHECK-NEXT:    %[[A:.*]] = loop.load %[[X]][lane] : memref<4xf32>, vector<4xf32>
// CHECK-NEXT:    %[[B:.*]] = arith.constant dense<3.000000e+00> : vector<4xf32>
// CHECK-NEXT:    %[[B_1:.*]] = arith.constant dense<2.000000e+00> : vector<4xf32>
// CHECK-NEXT:    %[[B_2:.*]] = arith.mulf %[[B]], %[[A]] : vector<4xf32>
// CHECK-NEXT:    %[[B_3:.*]] = arith.addf %[[B_2]], %[[B_1]] : vector<4xf32>
// CHECK-NEXT:    loop.store %[[B_3]], %[[Y]][lane] : vector<4xf32>, memref<4xf32>
// CHECK-NEXT:    func.return
func.func @vector(%x: memref<4xf32>, %y: memref<4xf32> {tw.output}) {
  %a = loop.load %x[lane] : memref<4xf32>, vector<4xf32>
  %b = poly.eval %a [3.0, 2.0] : vector<4xf32>
  loop.store %b, %y[lane] : vector<4xf32>, memref<4xf32>
  func.return
}

// CASE leaves alone: there is no polynomial.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME:    %[[X:.*]]: f32) -> f32 {
// CHECK-NEXT:    %[[Y:.*]] = arith.addf %[[X]], %[[X]] : f32
// CHECK-NEXT:    func.return %[[Y]] : f32
func.func @sum(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  func.return %y : f32
}
