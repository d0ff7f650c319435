// RUN: opt-tool --schedule %S/Inputs/parts.schedule %s | filecheck %s

// Where a part begins is a product of its number with a length that is known when the program is called.
// CHECK-LABEL: func.func @parts(
// CHECK:       loop.for %io = 0 to 4 kind parallel {
// CHECK-NEXT:    loop.for %ii = 0 to ((%n + 3) floordiv 4) {
// CHECK-NEXT:      %[[PART:.*]] = loop.apply (%io) : index
// CHECK-NEXT:      %[[LENGTH:.*]] = loop.apply (((%n + 3) floordiv 4)) : index
// CHECK-NEXT:      %i_first = arith.muli %[[PART]], %[[LENGTH]] : index
// CHECK-NEXT:      loop.block "B" (%vi = spatial(%i_first + %ii) in %n) where (%i_first + %ii < %n) {
func.func @parts(%A: memref<?xf32>, %B: memref<?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.bind %B shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n {
    loop.block "B" (%vi = spatial(%i) in %n) {
      %a = loop.load %A[%vi] : memref<?xf32>
      loop.store %a, %B[%vi] : memref<?xf32>
    }
  }
  func.return
}

// CHECK-LABEL: func.func @turned(
// CHECK:       loop.for %ii = 0 to ((%n + 3) floordiv 4) {
// CHECK-NEXT:    loop.for %io = 0 to 4 {
func.func @turned(%A: memref<?xf32>, %B: memref<?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.bind %B shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n {
    loop.block "B" (%vi = spatial(%i) in %n) {
      %a = loop.load %A[%vi] : memref<?xf32>
      loop.store %a, %B[%vi] : memref<?xf32>
    }
  }
  func.return
}

// An extent that is known needs no product.
// CHECK-LABEL: func.func @whole(
// CHECK:       loop.for %io = 0 to 4 kind parallel {
// CHECK-NEXT:    loop.for %ii = 0 to 4 {
// CHECK-NEXT:      loop.block "B" (%vi = spatial(%io * 4 + %ii) in 16) {
func.func @whole(%A: memref<16xf32>, %B: memref<16xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    loop.block "B" (%vi = spatial(%i) in 16) {
      %a = loop.load %A[%vi] : memref<16xf32>
      loop.store %a, %B[%vi] : memref<16xf32>
    }
  }
  func.return
}
