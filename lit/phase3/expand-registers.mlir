// RUN: opt-tool --pass assign-memory-spaces,expand-registers --target none %s | filecheck %s

// CASE fires: a loop carries what it adds up; what was stored before it is its start.
// CHECK-LABEL: func.func @sum(
// CHECK-NEXT: %zero = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK-NEXT: %[[R:.*]] = loop.for %k = 0 to %n iter_args(%[[A:.*]] = %zero) -> (vector<8xf32>) {
// CHECK-NEXT:   %v = loop.load %x[%k * 8 + lane] : memref<64xf32>, vector<8xf32>
// CHECK-NEXT:   %t = arith.addf %[[A]], %v : vector<8xf32>
// CHECK-NEXT:   loop.yield %t : vector<8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: loop.store %[[R]], %y[lane] : vector<8xf32>, memref<8xf32>
func.func @sum(%x: memref<64xf32>, %y: memref<8xf32> {tw.output}, %n: index) {
  %sum = loop.alloc : memref<8xf32, "register">
  %zero = arith.constant dense<0.0> : vector<8xf32>
  loop.store %zero, %sum[lane] : vector<8xf32>, memref<8xf32, "register">
  loop.for %k = 0 to %n {
    %v = loop.load %x[%k * 8 + lane] : memref<64xf32>, vector<8xf32>
    %s = loop.load %sum[lane] : memref<8xf32, "register">, vector<8xf32>
    %t = arith.addf %s, %v : vector<8xf32>
    loop.store %t, %sum[lane] : vector<8xf32>, memref<8xf32, "register">
  }
  %r = loop.load %sum[lane] : memref<8xf32, "register">, vector<8xf32>
  loop.store %r, %y[lane] : vector<8xf32>, memref<8xf32>
  func.return
}

// CASE fires: unrolled loops are written out, elements of chunks are taken out.
// CHECK-LABEL: func.func @pairs(
// CHECK-NEXT: %a = loop.load %x[lane] : memref<4xf32>, vector<2xf32>
// CHECK-NEXT: %a_1 = loop.load %x[lane + 2] : memref<4xf32>, vector<2xf32>
// CHECK-NEXT: %[[E:.*]] = vector.extract %a_1[1] : f32 from vector<2xf32>
// CHECK-NEXT: loop.store %[[E]], %y[0] : memref<1xf32>
func.func @pairs(%x: memref<4xf32>, %y: memref<1xf32> {tw.output}) {
  %r = loop.alloc : memref<4xf32, "register">
  loop.for %i = 0 to 2 kind unrolled {
    %a = loop.load %x[%i * 2 + lane] : memref<4xf32>, vector<2xf32>
    loop.store %a, %r[%i * 2 + lane] : vector<2xf32>, memref<4xf32, "register">
  }
  %v = loop.load %r[3] : memref<4xf32, "register">
  loop.store %v, %y[0] : memref<1xf32>
  func.return
}

// CASE leaves alone: a buffer that is no register.
// CHECK-LABEL: func.func @local(
// CHECK: loop.store %v, %r[%i] : memref<4xf32, "local">
func.func @local(%x: memref<4xf32>) {
  %r = loop.alloc : memref<4xf32, "local">
  loop.for %i = 0 to 4 {
    %v = loop.load %x[%i] : memref<4xf32>
    loop.store %v, %r[%i] : memref<4xf32, "local">
  }
  func.return
}
