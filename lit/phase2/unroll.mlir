// RUN: opt-tool --pass "unroll{factor=4 max-ops=12}" %s | filecheck %s

// CHECK-LABEL: func.func private @nests(
// CASE fires: both loops are short, and their iterations come to 12 operations.
// CHECK:         loop.for %i = 0 to 2 kind unrolled {
// CHECK-NEXT:      loop.for %j = 0 to 3 kind unrolled {
// The outer one would come to too many.
// CHECK:         loop.for %i_1 = 0 to 4 {
// CHECK-NEXT:      loop.for %j_1 = 0 to 3 kind unrolled {
// Too long, symbolic, parallel.
// CHECK:         loop.for %i_2 = 0 to 5 {
// CHECK:         loop.for %i_3 = 0 to %n {
// CHECK:         loop.for %i_4 = 0 to 2 kind parallel {
func.func private @nests(%n: index, %A: memref<?xf32>) {
  loop.for %i = 0 to 2 {
    loop.for %j = 0 to 3 {
      %a = loop.load %A[%i + %j] : memref<?xf32>
      loop.store %a, %A[%i + %j] : memref<?xf32>
    }
  }
  loop.for %i = 0 to 4 {
    loop.for %j = 0 to 3 {
      %a = loop.load %A[%i + %j] : memref<?xf32>
      loop.store %a, %A[%i + %j] : memref<?xf32>
    }
  }
  loop.for %i = 0 to 5 {
    %a = loop.load %A[%i] : memref<?xf32>
    loop.store %a, %A[%i] : memref<?xf32>
  }
  loop.for %i = 0 to %n {
    %a = loop.load %A[%i] : memref<?xf32>
    loop.store %a, %A[%i] : memref<?xf32>
  }
  loop.for %i = 0 to 2 kind parallel {
    %a = loop.load %A[%i] : memref<?xf32>
    loop.store %a, %A[%i] : memref<?xf32>
  }
  func.return
}
