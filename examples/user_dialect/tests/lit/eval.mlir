// RUN: opt-tool %s | filecheck %s
// RUN: opt-tool --print-op-generic %s | opt-tool | filecheck %s
// RUN: opt-tool --emit llvm %s | filecheck %s --check-prefix=LLVM

// The lowering runs by itself.
// LLVM-COUNT-2: call float @llvm.fma.f32(

// CHECK-LABEL: func.func @f(
// CHECK-SAME:    %[[X:.*]]: memref<8xf32>, %[[Y:.*]]: memref<8xf32> {tw.output}) {
// CHECK-NEXT:    loop.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:      %[[A:.*]] = loop.load %[[X]][%[[I]]] : memref<8xf32>
// CHECK-NEXT:      %[[B:.*]] = poly.eval %[[A]] [0.000000e+00 : f64, 2.000000e+00 : f64, 5.000000e-01 : f64] : f32
// CHECK-NEXT:      loop.store %[[B]], %[[Y]][%[[I]]] : memref<8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @f(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %a = loop.load %x[%i] : memref<8xf32>
    %b = poly.eval %a [0.0, 2.0, 0.5] : f32
    loop.store %b, %y[%i] : memref<8xf32>
  }
  func.return
}
