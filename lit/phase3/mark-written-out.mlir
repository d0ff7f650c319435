// RUN: opt-tool --pass mark-written-out --target none %s | filecheck %s

// CASE fires: one iteration, whatever its bounds, and none.
// CHECK-LABEL: func.func @once(
// CHECK: loop.for %i = %n to %n + 1 kind unrolled {
// CHECK: loop.for %j = 4 to 4 kind unrolled {
func.func @once(%x: memref<8xf32> {tw.output}, %n: index) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = %n to %n + 1 kind parallel {
    loop.for %j = 4 to 4 {
      loop.store %zero, %x[%j] : memref<8xf32>
    }
  }
  func.return
}

// CASE leaves alone: two iterations, and a number that is not known.
// CHECK-LABEL: func.func @more(
// CHECK: loop.for %i = 0 to 2 {
// CHECK: loop.for %j = 0 to %n kind parallel {
func.func @more(%x: memref<8xf32> {tw.output}, %n: index) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 2 {
    loop.for %j = 0 to %n kind parallel {
      loop.store %zero, %x[%j] : memref<8xf32>
    }
  }
  func.return
}
