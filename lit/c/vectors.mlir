// RUN: opt-tool --emit c %s | filecheck %s

// Vectors are loops over lanes and guards conditions; sums of integers have no sign, and their quotients are calls.
// CHECK: static inline int64_t tw_floordivsi(int64_t a, int64_t b) {
// CHECK: const float *restrict x,
// CHECK-NEXT: int64_t n,
// CHECK: for (int lane = 0; lane < 8; ++lane) b[lane] = expf(lane >= 1 && lane <= n ? x[lane - 1] : 1.5f);
// CHECK: for (int lane = 0; lane < 8; ++lane) if (lane < n) out[lane] = b[lane];
// CHECK: if (i * 8 + lane < n) out[i * 8 + lane] = expf(x[i * 8 + lane - 1]);
// CHECK: const int32_t v = y[i];
// CHECK-NEXT: if (i % 2 >= 1) out[i / 2] = (float)(int32_t)tw_floordivsi((int32_t)((uint32_t)v + (uint32_t)3), v);
func.func @main(%x: memref<?xf32>, %y: memref<?xi32>, %out: memref<?xf32> {tw.output}) {
  %n = loop.dim %x, 0 : memref<?xf32>
  loop.bind %y shape [%n] strides [1] : memref<?xi32>
  loop.bind %out shape [%n] strides [1] : memref<?xf32>
  %pad = arith.constant 1.5 : f32
  %three = arith.constant 3 : i32
  loop.for %i = 0 to ((%n + 7) floordiv 8) {
    %a = loop.load %x[%i * 8 + lane - 1] where (%i * 8 + lane >= 1, %i * 8 + lane <= %n) else %pad : memref<?xf32>, vector<8xf32>
    %b = math.exp %a : vector<8xf32>
    loop.store %b, %out[%i * 8 + lane] where (%i * 8 + lane < %n) : vector<8xf32>, memref<?xf32>
  }
  loop.for %i = 0 to %n {
    %v = loop.load %y[%i] : memref<?xi32>
    %w = arith.addi %v, %three : i32
    %q = arith.floordivsi %w, %v : i32
    %f = arith.sitofp %q : i32 to f32
    loop.store %f, %out[%i floordiv 2] where (%i mod 2 >= 1) : memref<?xf32>
  }
  func.return
}
