// RUN: opt-tool --pass note-aliases --target none %s | filecheck %s

// CASE fires: the halves of a buffer lie apart.
// CHECK-LABEL: func.func private @copy(%x: memref<16xf32>, %y: memref<16xf32> {tw.output}) attributes {tw.may_overlap = array<i64>} {
func.func private @copy(%x: memref<16xf32>, %y: memref<16xf32> {tw.output}) {
  %v = loop.load %x[0] : memref<16xf32>
  loop.store %v, %y[0] : memref<16xf32>
  func.return
}

// CASE fires: views of common elements, one of which is written.
// CHECK-LABEL: func.func private @shift(
// CHECK-SAME: attributes {tw.may_overlap = array<i64: 0, 1>} {
func.func private @shift(%x: memref<16xf32>, %y: memref<16xf32> {tw.output}) {
  %v = loop.load %x[0] : memref<16xf32>
  loop.store %v, %y[0] : memref<16xf32>
  func.return
}

// CASE leaves alone: an entry, whose arguments the runtime keeps apart.
// CHECK-LABEL: func.func @main(%m: memref<32xf32> {tw.output}) {
func.func @main(%m: memref<32xf32> {tw.output}) {
  %a = loop.view %m[0] : memref<32xf32> to memref<16xf32>
  %b = loop.view %m[64] : memref<32xf32> to memref<16xf32>
  %c = loop.view %m[60] : memref<32xf32> to memref<16xf32>
  func.call @copy(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @shift(%a, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  func.return
}

// CASE fires: pieces of a buffer of n pieces lie apart for every n.
// CHECK-LABEL: func.func private @copy_rows(
// CHECK-SAME: attributes {tw.may_overlap = array<i64>} {
func.func private @copy_rows(%x: memref<?x16xf32>, %y: memref<?x16xf32> {tw.output}) {
  %v = loop.load %x[0, 0] : memref<?x16xf32>
  loop.store %v, %y[0, 0] : memref<?x16xf32>
  func.return
}

// CASE fires: pieces of which one begins within the other.
// CHECK-LABEL: func.func private @shift_rows(
// CHECK-SAME: attributes {tw.may_overlap = array<i64: 0, 1>} {
func.func private @shift_rows(%x: memref<?x16xf32>, %y: memref<?x16xf32> {tw.output}) {
  %v = loop.load %x[0, 0] : memref<?x16xf32>
  loop.store %v, %y[0, 0] : memref<?x16xf32>
  func.return
}

func.func @rows(%m: memref<?x40xf32> {tw.output}) {
  %n = loop.dim %m, 0 : memref<?x40xf32>
  %a = loop.view %m[0] : memref<?x40xf32> to memref<?x16xf32>
  loop.bind %a shape [%n, 16] strides [16, 1] : memref<?x16xf32>
  %b = loop.view %m[%n * 64] : memref<?x40xf32> to memref<?x16xf32>
  loop.bind %b shape [%n, 16] strides [16, 1] : memref<?x16xf32>
  %c = loop.view %m[%n * 32] : memref<?x40xf32> to memref<?x16xf32>
  loop.bind %c shape [%n, 16] strides [16, 1] : memref<?x16xf32>
  func.call @copy_rows(%a, %b) : (memref<?x16xf32>, memref<?x16xf32>) -> ()
  func.call @shift_rows(%a, %c) : (memref<?x16xf32>, memref<?x16xf32>) -> ()
  func.return
}
