// RUN: opt-tool --emit c %s | filecheck %s

// CHECK-LABEL: static int32_t main_1(int64_t k, float *restrict y, int64_t n, int64_t *record) {
// CHECK-NEXT:    if (!(k >= 0 && k < n)) {
// CHECK-NEXT:      tw_violated(record, 1, 2, (const int64_t[]){n, k});
// CHECK-NEXT:      goto failed;
// CHECK-NEXT:    }
// CHECK-NEXT:    y[k] = 0.0f;
// CHECK-NEXT:    return 0;
// CHECK-NEXT:  failed:
// CHECK-NEXT:    return 1;
func.func @main(%k: index, %y: memref<?xf32> {tw.output}) {
  %n = loop.dim %y, 0 : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  loop.assert (%k >= 0, %k < %n), "expected an index within [{}], but y[{}] is written" (%n, %k)
  loop.store %zero, %y[%k] : memref<?xf32>
  func.return
}
