// RUN: opt-tool --emit llvm %s | filecheck %s

// The body of a parallel loop is a function of a range; buffers stay `noalias` arguments. One thread calls it on the
// whole range, several share it out.
// CHECK-LABEL: ; function @k
// CHECK:       define internal i32 @tw.k.parallel{{.*}}.body(i64 %begin, i64 %end, ptr noalias %{{.*}}, ptr noalias %{{.*}}) noinline
// CHECK:         icmp slt i64 %begin, %end
// CHECK:       define internal void @tw.k.parallel{{.*}}.team(ptr %context, i64 %begin, i64 %end, i64 %member)
// CHECK:         call i32 @tw.k.parallel{{.*}}.body(i64 %begin, i64 %end,
// CHECK:       define i32 @tw.k(ptr noalias %a0, ptr noalias %a1, ptr %constants, i32 %threads)
// CHECK:         icmp sgt i32 %threads, 1
// CHECK:         call i32 @tw.k.parallel{{.*}}.body(i64 0, i64 64,
// CHECK:         call void @tilewright_share(ptr @tw.k.parallel{{.*}}.team, ptr %{{.*}}, i64 0, i64 64, i32 %threads)
// CHECK-LABEL: ; function @main
// CHECK:         call i32 @tw.k(ptr %a0, ptr %a1, ptr %constants, i32 %threads)
// CHECK:       define i32 @tw_entry(ptr %arguments, ptr %sizes, ptr %constants, ptr %arena, i32 %threads)
func.func private @k(%x: memref<64x8xf32>, %y: memref<64x8xf32> {tw.output}) {
  loop.for %i = 0 to 64 kind parallel {
    %v = loop.load %x[%i, lane] : memref<64x8xf32>, vector<8xf32>
    loop.store %v, %y[63 - %i, lane] : vector<8xf32>, memref<64x8xf32>
  }
  func.return
}
func.func @main(%x: memref<64x8xf32>, %y: memref<64x8xf32> {tw.output}) {
  func.call @k(%x, %y) : (memref<64x8xf32>, memref<64x8xf32>) -> ()
  func.return
}
