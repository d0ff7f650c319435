// RUN: opt-tool --pass note-aliases --target none %s | filecheck %s

// CASE fires: the halves of a buffer are disjoint.
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

// CASE leaves alone: an entry, whose arguments the runtime keeps disjoint.
// CHECK-LABEL: func.func @main(%m: memref<32xf32> {tw.output}) {
func.func @main(%m: memref<32xf32> {tw.output}) {
  %a = loop.view %m[0] : memref<32xf32> to memref<16xf32>
  %b = loop.view %m[64] : memref<32xf32> to memref<16xf32>
  %c = loop.view %m[60] : memref<32xf32> to memref<16xf32>
  func.call @copy(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @shift(%a, %c) : (memref<16xf32>, memref<16xf32>) -> ()
  func.return
}
