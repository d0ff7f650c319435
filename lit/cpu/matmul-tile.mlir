// RUN: opt-tool --emit llvm %s | filecheck %s

// A register tile: its elements are values, and phis of the reduction loop. Nothing but the last stores touches memory.
// CHECK-LABEL: define internal i32 @tw.main(
// CHECK-SAME:    ptr noalias %[[A:.*]], ptr noalias %[[B:.*]], ptr noalias %[[C:.*]], ptr %constants
// CHECK:         %[[K:.*]] = phi i64 [ 0, %entry ]
// CHECK-NEXT:    %[[ACC0:.*]] = phi <8 x float> [ splat (float 0x0000000000000000), %entry ], [ %[[SUM0:.*]], %
// CHECK-NEXT:    %[[ACC1:.*]] = phi <8 x float> [ splat (float 0x0000000000000000), %entry ], [ %[[SUM1:.*]], %
// CHECK:         load <8 x float>, ptr %{{.*}}, align 4
// CHECK:         %[[SUM0]] = call <8 x float> @llvm.fma.v8f32(<8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x float> %[[ACC0]])
// CHECK:         %[[SUM1]] = call <8 x float> @llvm.fma.v8f32(<8 x float> %{{.*}}, <8 x float> %{{.*}}, <8 x float> %[[ACC1]])
// CHECK:         icmp slt i64 %{{.*}}, 64
// CHECK:         store <8 x float> %[[SUM0]], ptr %[[C]], align 4
// CHECK:         store <8 x float> %[[SUM1]], ptr %{{.*}}, align 4
// CHECK-NEXT:    ret i32 0
func.func @main(%A: memref<2x64xf32>, %B: memref<64x8xf32>, %C: memref<2x8xf32> {tw.output}) {
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %acc = loop.alloc : memref<2x8xf32, "register">
  loop.for %i = 0 to 2 kind unrolled {
    loop.store %zero, %acc[%i, lane] : vector<8xf32>, memref<2x8xf32, "register">
  }
  loop.for %k = 0 to 64 {
    loop.for %i = 0 to 2 kind unrolled {
      %a = loop.load %A[%i, %k] : memref<2x64xf32>, vector<8xf32>
      %b = loop.load %B[%k, lane] : memref<64x8xf32>, vector<8xf32>
      %c = loop.load %acc[%i, lane] : memref<2x8xf32, "register">, vector<8xf32>
      %d = math.fma %a, %b, %c : vector<8xf32>
      loop.store %d, %acc[%i, lane] : vector<8xf32>, memref<2x8xf32, "register">
    }
  }
  loop.for %i = 0 to 2 kind unrolled {
    %c = loop.load %acc[%i, lane] : memref<2x8xf32, "register">, vector<8xf32>
    loop.store %c, %C[%i, lane] : vector<8xf32>, memref<2x8xf32>
  }
  func.return
}
