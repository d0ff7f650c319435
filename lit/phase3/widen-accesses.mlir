// RUN: opt-tool --pass widen-accesses --target cuda %s | filecheck %s
// RUN: opt-tool --pass widen-accesses --target "llvm -mcpu=x86-64-v3" %s | filecheck %s --check-prefix HOST
// HOST-NOT: tw.width

// CASE fires: an instruction moves 16 bytes, or what a position is a multiple of.
// CHECK-LABEL: func.func @vectors(
// CHECK:         loop.load %x[%t * 8 + lane] attributes {tw.width = 4 : i64}
// CHECK-NEXT:    loop.store %{{.*}}, %y[%t * 8 + lane + 2] attributes {tw.width = 2 : i64}
func.func @vectors(%x: memref<512xf32>, %y: memref<512xf32> {tw.output}) attributes {tw.scheduled} {
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %v = loop.load %x[%t * 8 + lane] : memref<512xf32>, vector<8xf32>
    loop.store %v, %y[%t * 8 + lane + 2] : vector<8xf32>, memref<512xf32>
  }
  func.return
}

// CASE fires: a guard that is the same for all lanes of an instruction lets them be one.
// CHECK-LABEL: func.func @guards(
// CHECK:         loop.load %x[%t * 4 + lane] where (%t * 4 + lane < %n * 4) else %{{.*}} attributes {tw.width = 4 : i64}
// CHECK-NEXT:    loop.load %x[%t * 4 + lane] where (%t * 4 + lane < 30) else %{{.*}} attributes {tw.width = 2 : i64}
// CHECK-NEXT:    loop.load %x[%t * 4 + lane] where (%t * 4 + lane < %n) else %{{[a-z_0-9]*}} : memref
func.func @guards(%x: memref<512xf32>, %n: index) attributes {tw.scheduled} {
  %zero = arith.constant 0.0 : f32
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %a = loop.load %x[%t * 4 + lane] where (%t * 4 + lane < %n * 4) else %zero : memref<512xf32>, vector<4xf32>
    %b = loop.load %x[%t * 4 + lane] where (%t * 4 + lane < 30) else %zero : memref<512xf32>, vector<4xf32>
    %c = loop.load %x[%t * 4 + lane] where (%t * 4 + lane < %n) else %zero : memref<512xf32>, vector<4xf32>
  }
  func.return
}

// CASE leaves alone: lanes that are no neighbours, unaligned offsets, strides of the call, private memory.
// CHECK-LABEL: func.func @none(
// CHECK-NOT:     tw.width
func.func @none(%x: memref<512xf32>, %z: memref<4x?xf32>, %n: index) attributes {tw.scheduled} {
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %own = loop.alloc : memref<8xf32, "local">
    %a = loop.load %x[%t + lane * 32] : memref<512xf32>, vector<4xf32>
    %b = loop.load %x[%t + lane] : memref<512xf32>, vector<4xf32>
    %c = loop.load %z[%t mod 4, lane] : memref<4x?xf32>, vector<4xf32>
    loop.store %c, %own[lane + 4] : vector<4xf32>, memref<8xf32, "local">
    %d = loop.load %x[%t * 4] : memref<512xf32>
  }
  func.return
}
