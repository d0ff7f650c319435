// RUN: opt-tool --pass outline-parallel --target none %s | filecheck %s

// CASE fires: what the body uses by its first use; the loop inside has no team.
// CHECK-LABEL: func.func @main(
// CHECK: loop.for %i = 0 to %n kind parallel captures(%x apart, %n, %y apart) {
// CHECK-NEXT: loop.for %j = 0 to 8 {
func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}, %n: index) {
  loop.for %i = 0 to %n kind parallel {
    loop.for %j = 0 to 8 kind parallel {
      %v = loop.load %x[%i * 8 + %j + %n] : memref<64xf32>
      loop.store %v, %y[%i * 8 + %j] : memref<64xf32>
    }
  }
  func.return
}

// CASE fires: views of one buffer are not disjoint, another buffer is.
// CHECK-LABEL: func.func @views(
// CHECK: kind parallel captures(%a, %b, %y apart) {
func.func @views(%x: memref<128xf32>, %y: memref<64xf32> {tw.output}) {
  %a = loop.view %x[0] : memref<128xf32> to memref<64xf32>
  %b = loop.view %x[128] : memref<128xf32> to memref<64xf32>
  loop.for %i = 0 to 64 kind parallel {
    %v = loop.load %a[%i] : memref<64xf32>
    %w = loop.load %b[%i] : memref<64xf32>
    %u = arith.addf %v, %w : f32
    loop.store %u, %y[%i] : memref<64xf32>
  }
  func.return
}

// CASE fires: callers promise which arguments are disjoint.
// CHECK-LABEL: func.func private @called(
// CHECK: kind parallel captures(%x, %y, %z apart) {
func.func private @called(%x: memref<64xf32>, %y: memref<64xf32>, %z: memref<64xf32> {tw.output})
    attributes {tw.may_overlap = array<i64: 0, 1>} {
  loop.for %i = 0 to 64 kind parallel {
    %v = loop.load %x[%i] : memref<64xf32>
    %w = loop.load %y[%i] : memref<64xf32>
    %u = arith.addf %v, %w : f32
    loop.store %u, %z[%i] : memref<64xf32>
  }
  func.return
}

// CASE leaves alone: loops that one thread runs.
// CHECK-LABEL: func.func @serial(
// CHECK: loop.for %i = 0 to 64 {
func.func @serial(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    %v = loop.load %x[%i] : memref<64xf32>
    loop.store %v, %y[%i] : memref<64xf32>
  }
  func.return
}
