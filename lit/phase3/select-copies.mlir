// RUN: opt-tool --pass select-copies --target "cuda -arch=sm_80" %s | filecheck %s
// RUN: opt-tool --pass select-copies --target "cuda -arch=sm_75" %s | filecheck %s --check-prefix OLD
// OLD-NOT: tw.copy_bytes

// CASE fires: eight halves from multiples of eight on are one copy, of as many from multiples of two on each two are.
// CHECK-LABEL: func.func @halves(
// CHECK:         loop.load %a[%t * 8 + lane] attributes {tw.copy_bytes = 16 : i64}
// CHECK-NEXT:    loop.store {{.*}} attributes {tw.async, tw.copy_bytes = 16 : i64}
// CHECK-NEXT:    loop.load %a[%t * 8 + lane + 2] attributes {tw.copy_bytes = 4 : i64}
// CHECK-NEXT:    loop.store {{.*}} attributes {tw.async, tw.copy_bytes = 4 : i64}
func.func @halves(%a: memref<512xf16>) attributes {tw.scheduled} {
  %s = loop.alloc : memref<512xf16, "shared">
  %u = loop.alloc : memref<512xf16, "shared">
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %v = loop.load %a[%t * 8 + lane] : memref<512xf16>, vector<8xf16>
    loop.store %v, %s[%t * 8 + lane] attributes {tw.async} : vector<8xf16>, memref<512xf16, "shared">
    %w = loop.load %a[%t * 8 + lane + 2] : memref<512xf16>, vector<8xf16>
    loop.store %w, %u[%t * 8 + lane] attributes {tw.async} : vector<8xf16>, memref<512xf16, "shared">
  }
  func.return
}

// CASE fires: a view at a constant offset counts, and so does an access whose guard always holds.
// CHECK-LABEL: func.func @views(
// CHECK:         loop.load %half[%t * 4 + lane] {{.*}}attributes {tw.copy_bytes = 8 : i64}
func.func @views(%a: memref<512xf32>) attributes {tw.scheduled} {
  %s = loop.alloc : memref<128xf32, "shared">
  %half = loop.view %a[8] : memref<512xf32> to memref<128xf32>
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %v = loop.load %half[%t * 4 + lane] : memref<128xf32>, vector<4xf32>
    loop.store %v, %s[%t * 4 + lane] where (%t < 40) attributes {tw.async} : vector<4xf32>, memref<128xf32, "shared">
  }
  func.return
}

// CASE leaves alone: no instruction copies two bytes, some of the elements only, or elements of memory of the block;
// and what nobody calls asynchronous is none.
// CHECK-LABEL: func.func @none(
// CHECK-NOT:     tw.copy_bytes
func.func @none(%a: memref<512xf16>, %b: memref<32xf32>) attributes {tw.scheduled} {
  %zero = arith.constant 0.0 : f32
  %s = loop.alloc : memref<512xf16, "shared">
  %u = loop.alloc : memref<32xf32, "shared">
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %v = loop.load %a[%t] : memref<512xf16>
    loop.store %v, %s[%t] attributes {tw.async} : memref<512xf16, "shared">
    %w = loop.load %b[%t] where (%t < 20) else %zero : memref<32xf32>
    loop.store %w, %u[%t] attributes {tw.async} : memref<32xf32, "shared">
    %x = loop.load %u[%t] : memref<32xf32, "shared">
    loop.store %x, %u[31 - %t] attributes {tw.async} : memref<32xf32, "shared">
    %p = loop.load %b[%t] : memref<32xf32>
    loop.store %p, %u[%t] : memref<32xf32, "shared">
  }
  func.return
}
