// RUN: opt-tool --emit llvm %s | filecheck %s

// A check is one branch; its cold side records number and values, the first to come wins, and leaves the function.
// CHECK:       define internal void @tw.violated.2(ptr %record, i64 %number, i64 %v0, i64 %v1) cold noinline #0 {
// CHECK-NEXT:    %pair = cmpxchg ptr %record, i64 0, i64 %number monotonic monotonic
// CHECK-LABEL: define internal i32 @tw.main(
// CHECK:         br i1 %{{.*}}, label %[[HELD:held[0-9]+]], label %[[VIOLATED:violated[0-9]+]]
// CHECK-NEXT:  [[VIOLATED]]:
// CHECK-NEXT:    call void @tw.violated.2(ptr %{{.*}}, i64 1, i64 %{{.*}}, i64 %{{.*}})
// CHECK-NEXT:    br label %failed
// CHECK-NEXT:  [[HELD]]:
// CHECK:         store float
func.func @main(%k: index, %y: memref<?xf32> {tw.output}) {
  %n = loop.dim %y, 0 : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  loop.assert (%k >= 0, %k < %n), "expected an index within [{}], but y[{}] is written" (%n, %k)
  loop.store %zero, %y[%k] : memref<?xf32>
  func.return
}
