// RUN: opt-tool --pass unroll %s | filecheck %s

// CASE fires: the innermost loop has 4 steps and the two together 12, which is the limit; the third would make it 24.
// CHECK-LABEL: func.func @limit(
// CHECK: loop.for %i = 0 to 8 attributes {pragma.auto_unroll_max_step = 12 : i64} {
// CHECK-NEXT: loop.for %j = 0 to 2 {
// CHECK-NEXT: loop.for %k = 0 to 3 kind unrolled {
// CHECK-NEXT: loop.for %l = 0 to 4 kind unrolled {
func.func @limit(%A: memref<8x2x3x4xf32>) {
  %x = arith.constant 1.0 : f32
  loop.for %i = 0 to 8 attributes {pragma.auto_unroll_max_step = 12 : i64} {
    loop.for %j = 0 to 2 { loop.for %k = 0 to 3 { loop.for %l = 0 to 4 {
      loop.store %x, %A[%i, %j, %k, %l] : memref<8x2x3x4xf32>
    } } }
  }
  func.return
}

// CASE leaves alone: a limit of 0 keeps loops that the pass would unroll.
// CHECK-LABEL: func.func @none(
// CHECK: loop.for %j = 0 to 2 {
func.func @none(%A: memref<8x2xf32>) {
  %x = arith.constant 1.0 : f32
  loop.for %i = 0 to 8 attributes {pragma.auto_unroll_max_step = 0 : i64} {
    loop.for %j = 0 to 2 {
      loop.store %x, %A[%i, %j] : memref<8x2xf32>
    }
  }
  func.return
}

// CASE fires: the pragma asks for the iterations themselves.
// CHECK-LABEL: func.func @explicit(
// CHECK: loop.for %i = 0 to 8
// CHECK-NEXT: loop.store %x, %A[%i, 0] : memref<8x2xf32>
// CHECK-NEXT: loop.store %x, %A[%i, 1] : memref<8x2xf32>
func.func @explicit(%A: memref<8x2xf32>) {
  %x = arith.constant 1.0 : f32
  loop.for %i = 0 to 8 attributes {pragma.unroll_explicit = true} {
    loop.for %j = 0 to 2 {
      loop.store %x, %A[%i, %j] : memref<8x2xf32>
    }
  }
  func.return
}

// CASE leaves alone: loops that run in parallel, whatever the limit.
// CHECK-LABEL: func.func @parallel(
// CHECK: loop.for %j = 0 to 2 kind parallel {
func.func @parallel(%A: memref<8x2xf32>) {
  %x = arith.constant 1.0 : f32
  loop.for %i = 0 to 8 attributes {pragma.auto_unroll_max_step = 12 : i64} {
    loop.for %j = 0 to 2 kind parallel {
      loop.store %x, %A[%i, %j] : memref<8x2xf32>
    }
  }
  func.return
}
