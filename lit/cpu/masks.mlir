// RUN: opt-tool --emit llvm %s | filecheck %s

// A guard over lanes is a mask, made of one comparison; the access is masked, and nothing branches.
// CHECK-LABEL: define internal i32 @tw.main(
// CHECK:         %[[I:.*]] = phi i64
// CHECK:         %[[M:.*]] = icmp sge <8 x i32> %{{.*}}, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
// CHECK:         %[[V:.*]] = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %{{.*}}, i32 4, <8 x i1> %[[M]], <8 x float> splat
// CHECK:         %[[W:.*]] = fmul <8 x float> %[[V]], %[[V]]
// CHECK:         call void @llvm.masked.store.v8f32.p0(<8 x float> %[[W]], ptr %{{.*}}, i32 4, <8 x i1> %[[M]])
// CHECK-NOT:     label %store
func.func @main(%x: memref<?xf32>, %y: memref<?xf32> {tw.output}) {
  %n = loop.dim %x, 0 : memref<?xf32>
  loop.bind %x shape [%n] strides [1] : memref<?xf32>
  loop.bind %y shape [%n] strides [1] : memref<?xf32>
  %pad = arith.constant 0.0 : f32
  loop.for %i = 0 to (%n + 7) floordiv 8 {
    %v = loop.load %x[%i * 8 + lane] where (%i * 8 + lane < %n) else %pad : memref<?xf32>, vector<8xf32>
    %w = arith.mulf %v, %v : vector<8xf32>
    loop.store %w, %y[%i * 8 + lane] where (%i * 8 + lane < %n) : vector<8xf32>, memref<?xf32>
  }
  func.return
}
