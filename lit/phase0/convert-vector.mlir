// RUN: opt-tool --pass convert-vector --split-input-file %s | filecheck %s

// CASE fires: a transfer fills a buffer, and a transpose is another order of its indices.
// CHECK-LABEL: func.func @transfer(
// CHECK:         %[[A:.*]] = loop.alloc : memref<4x8xf32>
// CHECK-NEXT:    loop.for %[[I:.*]] = 0 to 4 {
// CHECK-NEXT:      loop.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT:        %[[E:.*]] = loop.load %A[%i + %[[I]], %j + %[[J]]] where (%i + %[[I]] < 30, %j + %[[J]] < 30) else %zero : memref<30x30xf32>
// CHECK-NEXT:        loop.store %[[E]], %[[A]][%[[I]], %[[J]]] : memref<4x8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.for %[[K:.*]] = 0 to 8 {
// CHECK-NEXT:      loop.for %[[L:.*]] = 0 to 4 {
// CHECK-NEXT:        %[[F:.*]] = loop.load %[[A]][%[[L]], %[[K]]] : memref<4x8xf32>
// CHECK-NEXT:        loop.store %[[F]], %B[%j + %[[K]], %i + %[[L]]] : memref<30x30xf32>
func.func @transfer(%A: memref<30x30xf32>, %B: memref<30x30xf32>, %i: index, %j: index) {
  %zero = arith.constant 0.0 : f32
  %a = vector.transfer_read %A[%i, %j], %zero : memref<30x30xf32>, vector<4x8xf32>
  %t = vector.transpose %a, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
  vector.transfer_write %t, %B[%j, %i] {in_bounds = [true, true]} : vector<8x4xf32>, memref<30x30xf32>
  return
}

// -----

// CASE fires: a loop carries a vector in a buffer, and each iteration changes it.
// CHECK-LABEL: func.func @carried(
// CHECK:         %[[R:.*]] = loop.alloc : memref<2x2xf32>
// CHECK:         affine.for %{{.*}} = 0 to %n {
// CHECK-NEXT:      loop.store %x, %[[R]][0, 1] : memref<2x2xf32>
// CHECK-NEXT:    }
// CHECK:         loop.store %{{.*}}, %A[%{{.*}}, %{{.*}}] : memref<2x2xf32>
func.func @carried(%A: memref<2x2xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<2x2xf32>
  %r = affine.for %i = 0 to %n iter_args(%v = %zero) -> (vector<2x2xf32>) {
    %w = vector.insert %x, %v [0, 1] : f32 into vector<2x2xf32>
    affine.yield %w : vector<2x2xf32>
  }
  vector.store %r, %A[%c0, %c0] : memref<2x2xf32>, vector<2x2xf32>
  return
}

// -----

// CASE leaves alone: vectors of one dimension that go from memory to memory.
// CHECK-LABEL: func.func @kept(
// CHECK:         %[[V:.*]] = vector.load %A[%i] : memref<64xf32>, vector<8xf32>
// CHECK-NEXT:    %[[W:.*]] = arith.addf %[[V]], %[[V]] : vector<8xf32>
// CHECK-NEXT:    vector.store %[[W]], %A[%i] : memref<64xf32>, vector<8xf32>
func.func @kept(%A: memref<64xf32>, %i: index) {
  %v = vector.load %A[%i] : memref<64xf32>, vector<8xf32>
  %w = arith.addf %v, %v : vector<8xf32>
  vector.store %w, %A[%i] : memref<64xf32>, vector<8xf32>
  return
}
