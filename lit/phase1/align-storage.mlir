// RUN: opt-tool --pass align-storage %s | filecheck %s
// RUN: opt-tool --pass align-storage --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// CASE fires: a row stride of 60 becomes 80, which is 16 modulo 32; the outermost stride follows from it.
// CHECK-LABEL: @rows
// CHECK: %b = loop.alloc : memref<1280xf32>
// CHECK: loop.store %x, %b[%h * 640 + %i * 80 + %j] : memref<1280xf32>
func.func @rows(%A: memref<8x60xf32>) {
  %b = loop.alloc attributes {tw.storage_align = [array<i64: 1, 32, 16>]} : memref<2x8x60xf32>
  loop.for %h = 0 to 2 { loop.for %i = 0 to 8 { loop.for %j = 0 to 60 {
    %x = loop.load %A[%i, %j] : memref<8x60xf32>
    loop.store %x, %b[%h, %i, %j] : memref<2x8x60xf32> } } }
  func.return
}

// CASE fires: the outermost extent may be symbolic.
// CHECK-LABEL: @symbolic
// CHECK: %b = loop.alloc (%n * 5) : memref<?xf32>
// CHECK: loop.store %zero, %b[%i * 5] : memref<?xf32>
func.func @symbolic(%n: index) {
  %zero = arith.constant 0.0 : f32
  %b = loop.alloc (%n) attributes {tw.storage_align = [array<i64: 0, 4, 1>]} : memref<?x4xf32>
  loop.for %i = 0 to %n {
    loop.store %zero, %b[%i, 0] : memref<?x4xf32> }
  func.return
}

// CASE remarks: a stride that is a multiple of a symbolic extent cannot be rounded up to a number.
// CHECK-LABEL: @inner
// CHECK: %c = loop.alloc (%n) : memref<4x?xf32>
// REMARK: remark[TW0423]: a buffer keeps its strides: an axis inside of the aligned one has a symbolic extent
func.func @inner(%n: index) {
  %zero = arith.constant 0.0 : f32
  %c = loop.alloc (%n) attributes {tw.storage_align = [array<i64: 0, 4, 1>]} : memref<4x?xf32>
  loop.store %zero, %c[0, 0] : memref<4x?xf32>
  func.return
}

// CASE leaves alone: nobody asked.
// CHECK-LABEL: @others
// CHECK: %b = loop.alloc : memref<8x60xf32>
func.func @others() {
  %zero = arith.constant 0.0 : f32
  %b = loop.alloc : memref<8x60xf32>
  loop.store %zero, %b[0, 0] : memref<8x60xf32>
  func.return
}
