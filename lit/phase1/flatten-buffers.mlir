// RUN: opt-tool --pass flatten-buffers --split-input-file %s | filecheck %s

// CASE fires: the entry keeps what users call it with; kernels and their calls change together; constants keep their
// data.
// CHECK-LABEL: func.func @main(%x: memref<8x4xf32> {tw.name = "x"}, %y: memref<f32> {tw.name = "y", tw.output}) {
// CHECK-DAG:     %[[X:.*]] = loop.view %x[0] : memref<8x4xf32> to memref<32xf32>
// CHECK-DAG:     %[[Y:.*]] = loop.view %y[0] : memref<f32> to memref<1xf32>
// CHECK:         %w = loop.constant dense<2.000000e+00> : memref<2x2xf32>
// CHECK-NEXT:    %[[W:.*]] = loop.view %w[0] : memref<2x2xf32> to memref<4xf32>
// CHECK-NEXT:    func.call @k(%[[X]], %[[W]], %[[Y]]) : (memref<32xf32>, memref<4xf32>, memref<1xf32>) -> ()
// CHECK-LABEL: func.func private @k(%x: memref<32xf32>, %w: memref<4xf32>, %y: memref<1xf32> {tw.output}) {
// CHECK:           %a = loop.load %x[%i * 4 + %j] : memref<32xf32>
// CHECK-NEXT:      loop.store %a, %y[0] : memref<1xf32>
// CHECK-NEXT:      %v = loop.load %x[%i * 4 + lane] where (%i + lane < 9) else %a : memref<32xf32>, vector<4xf32>
func.func @main(%x: memref<8x4xf32> {tw.name = "x"}, %y: memref<f32> {tw.name = "y", tw.output}) {
  %w = loop.constant dense<2.0> : memref<2x2xf32>
  func.call @k(%x, %w, %y) : (memref<8x4xf32>, memref<2x2xf32>, memref<f32>) -> ()
  func.return
}
func.func private @k(%x: memref<8x4xf32>, %w: memref<2x2xf32>, %y: memref<f32> {tw.output}) {
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 4 {
      %a = loop.load %x[%i, %j] : memref<8x4xf32>
      loop.store %a, %y[] : memref<f32>
      %v = loop.load %x[%i, lane] where (%i + lane < 9) else %a : memref<8x4xf32>, vector<4xf32>
    }
  }
  func.return
}

// -----

// CASE fires: a fused loop walks through memory in order; views compose; registers, symbolic shapes and single
// dimensions stay.
// CHECK-LABEL: func.func private @forms
// CHECK-SAME:      (%x: memref<32xf32>, %s: memref<?x4xf32>, %v: memref<7xf32>)
// CHECK-NEXT:    %r = loop.alloc : memref<2x4xf32, "register">
// CHECK-NEXT:    %l = loop.alloc : memref<32xf32, "local">
// CHECK:         %p = loop.view %x[32] : memref<32xf32> to memref<4xf32>
// CHECK:         loop.for %f = 0 to 32 {
// CHECK-NEXT:      %a = loop.load %x[%f] : memref<32xf32>
// CHECK-NEXT:      loop.store %a, %l[%f] : memref<32xf32, "local">
// CHECK-NEXT:      loop.store %a, %r[1, 0] : memref<2x4xf32, "register">
// CHECK-NEXT:      loop.store %a, %s[%f, 0] : memref<?x4xf32>
// CHECK-NEXT:      loop.store %a, %x[%f] : memref<32xf32>
// CHECK-NEXT:      loop.store %a, %p[3] : memref<4xf32>
func.func private @forms(%x: memref<8x4xf32>, %s: memref<?x4xf32>, %v: memref<7xf32>) {
  %r = loop.alloc : memref<2x4xf32, "register">
  %l = loop.alloc : memref<8x4xf32, "local">
  %same = loop.view %x[0] : memref<8x4xf32> to memref<4x8xf32>
  %q = loop.view %same[16] : memref<4x8xf32> to memref<2x4xf32>
  %p = loop.view %q[16] : memref<2x4xf32> to memref<2x2xf32>
  loop.for %f = 0 to 32 {
    %a = loop.load %x[%f floordiv 4, %f mod 4] : memref<8x4xf32>
    loop.store %a, %l[%f floordiv 4, %f mod 4] : memref<8x4xf32, "local">
    loop.store %a, %r[1, 0] : memref<2x4xf32, "register">
    loop.store %a, %s[%f, 0] : memref<?x4xf32>
    loop.store %a, %same[%f floordiv 8, %f mod 8] : memref<4x8xf32>
    loop.store %a, %p[1, 1] : memref<2x2xf32>
  }
  func.return
}

// -----

// CASE leaves alone: a function that is only declared keeps its types.
// CHECK-LABEL: func.func private @declared(memref<8x4xf32>) -> ()
func.func private @declared(memref<8x4xf32>) -> ()

// CASE fires: sizes and statements about shapes survive.
// CHECK-LABEL: func.func private @sizes(%x: memref<32xf32>, %n: index) {
// CHECK-NEXT:    %d = loop.apply (4) : index
// CHECK-NEXT:    %[[X:.*]] = loop.view %x[0] : memref<32xf32> to memref<8x4xf32>
// CHECK-NEXT:    loop.bind %[[X]] shape [%n, %d] strides [4, 1] : memref<8x4xf32>
// CHECK-NEXT:    %[[Y:.*]] = loop.view %x[0] : memref<32xf32> to memref<8x4xf32>
// CHECK-NEXT:    func.call @declared(%[[Y]]) : (memref<8x4xf32>) -> ()
func.func private @sizes(%x: memref<8x4xf32>, %n: index) {
  %d = loop.dim %x, 1 : memref<8x4xf32>
  loop.bind %x shape [%n, %d] strides [4, 1] : memref<8x4xf32>
  loop.bind %x shape [8, 4] strides [4, 1] : memref<8x4xf32>
  func.call @declared(%x) : (memref<8x4xf32>) -> ()
  func.return
}

// A view of the same symbolic sizes goes, one that states them in another order stays.
// CHECK-LABEL: func.func private @turned
// CHECK:         loop.bind %x shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
// CHECK-NEXT:    %y = loop.view %x[0] : memref<?x?xf32> to memref<?x?xf32>
// CHECK-NEXT:    loop.bind %y shape [%m, %n] strides [%n, 1] : memref<?x?xf32>
// CHECK-NEXT:    loop.bind %x shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
// CHECK-NEXT:    loop.store %z, %y[0, 1] : memref<?x?xf32>
// CHECK-NEXT:    loop.store %z, %x[0, 1] : memref<?x?xf32>
func.func private @turned(%z: f32, %x: memref<?x?xf32>) {
  %n = loop.dim %x, 0 : memref<?x?xf32>
  %m = loop.dim %x, 1 : memref<?x?xf32>
  loop.bind %x shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  %y = loop.view %x[0] : memref<?x?xf32> to memref<?x?xf32>
  loop.bind %y shape [%m, %n] strides [%n, 1] : memref<?x?xf32>
  %w = loop.view %x[0] : memref<?x?xf32> to memref<?x?xf32>
  loop.bind %w shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  loop.store %z, %y[0, 1] : memref<?x?xf32>
  loop.store %z, %w[0, 1] : memref<?x?xf32>
  func.return
}

// -----

// CASE leaves alone: one dimension is flat.
// CHECK-LABEL: func.func private @flat(
// CHECK-NEXT:    loop.store %z, %x[3] : memref<8xf32>
func.func private @flat(%z: f32, %x: memref<8xf32>) {
  loop.store %z, %x[3] : memref<8xf32>
  func.return
}
