// RUN: opt-tool --pass expand-unrolled --split-input-file --verify-diagnostics %s | filecheck %s

// CASE fires: every index of a register becomes a number.
// CHECK-LABEL: func.func private @register_tile(
// CHECK:         loop.for %k = 0 to 9 {
// CHECK-NEXT:      %a = loop.load %A[%k * 2] : memref<18xf32>
// CHECK-NEXT:      loop.store %a, %acc[0, 0] : memref<2x2xf32, "register">
// CHECK-NEXT:      loop.store %a, %acc[0, 1] : memref<2x2xf32, "register">
// CHECK-NEXT:      %a_1 = loop.load %A[%k * 2 + 1] : memref<18xf32>
// CHECK-NEXT:      loop.store %a_1, %acc[1, 0] : memref<2x2xf32, "register">
// CHECK-NEXT:      loop.store %a_1, %acc[1, 1] : memref<2x2xf32, "register">
func.func private @register_tile(%A: memref<18xf32>) {
  %acc = loop.alloc : memref<2x2xf32, "register">
  loop.for %k = 0 to 9 {
    loop.for %i = 0 to 2 kind unrolled {
      %a = loop.load %A[%k * 2 + %i] : memref<18xf32>
      loop.for %j = 0 to 2 kind unrolled { loop.store %a, %acc[%i, %j] : memref<2x2xf32, "register"> }
    }
  }
  func.return
}

// CASE fires: carried values run through the iterations; a variable that is a value becomes one; bounds may be
// symbolic.
// CHECK-LABEL: func.func private @carried(
// CHECK:         %i = loop.apply (%n) : index
// CHECK:         arith.addi %{{.*}}, %i
// CHECK:         %i_1 = loop.apply (%n + 1) : index
// CHECK:         %[[LAST:.*]] = arith.addi %{{.*}}, %i_1
// CHECK:         arith.index_cast %[[LAST]]
func.func private @carried(%n: index, %C: memref<1xi64>) {
  %zero = arith.constant 0 : index
  %r = loop.for %i = %n to %n + 2 kind unrolled iter_args(%acc = %zero) -> (index) {
    %s = arith.addi %acc, %i : index
    loop.yield %s : index
  }
  %v = arith.index_cast %r : index to i64
  loop.store %v, %C[0] : memref<1xi64>
  func.return
}

// -----

// CASE errs: how often the body would be repeated is not known.
func.func private @symbolic(%n: index, %C: memref<?xf32>) {
  %z = arith.constant 0.0 : f32
  // expected-error @below {{loop %i is unrolled, but its trip count is no constant}}
  loop.for %i = 0 to %n kind unrolled { loop.store %z, %C[%i] : memref<?xf32> }
  func.return
}

// -----

// CASE leaves alone: the loop is serial, however short.
// CHECK-LABEL: func.func private @serial(
// CHECK-NEXT:    loop.for %i = 0 to 2 {
func.func private @serial(%x: f32, %C: memref<2xf32>) {
  loop.for %i = 0 to 2 { loop.store %x, %C[%i] : memref<2xf32> }
  func.return
}
