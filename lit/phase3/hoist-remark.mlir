// RUN: opt-tool --pass hoist{max_ops=8} --remarks %s 2>&1 | filecheck %s

// CASE remarks: a second loop would make the function too large.
// CHECK: remark[TW0547]: a condition stays in loop %i, which it does not depend on: with a second loop, @large would have more than 8 operations
func.func @large(%n: index, %x: f32, %B: memref<8xf32>, %C: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    loop.store %x, %B[%i] : memref<8xf32>
    loop.if (%n >= 1) { loop.store %x, %C[%i] : memref<8xf32> }
  }
  func.return
}
