// RUN: opt-tool --pass parallelize %s | filecheck %s
// RUN: opt-tool --pass "parallelize{least=65}" %s | filecheck %s --check-prefix LEAST
// RUN: not opt-tool --pass "parallelize{least=x}" %s 2>&1 | filecheck %s --check-prefix ERROR

// CASE errs: a number of iterations is asked for.
// ERROR: error[TW0202]: option 'least' of pass 'parallelize': expected int, but got x

// CASE fires: a loop of one iteration is passed by.
// CHECK-LABEL: func.func private @rows(
// CHECK-NEXT:    loop.for %n = 0 to 1 {
// CHECK-NEXT:      loop.for %i = 0 to 64 kind parallel {
// CHECK-NEXT:        loop.for %j = 0 to 8 {
// LEAST-LABEL: func.func private @rows(
// LEAST-NOT:     kind parallel
func.func private @rows(%A: memref<1x64x8xf32>, %B: memref<1x64x8xf32> {tw.output}) {
  loop.for %n = 0 to 1 { loop.for %i = 0 to 64 { loop.for %j = 0 to 8 {
    loop.block "B" (%vn = spatial(%n) in 1, %vi = spatial(%i) in 64, %vj = spatial(%j) in 8) {
      %a = loop.load %A[%vn, %vi, %vj] : memref<1x64x8xf32>
      loop.store %a, %B[%vn, %vi, %vj] : memref<1x64x8xf32>
    }
  } } }
  func.return
}

// CASE leaves alone: a loop that carries a sum, and one of which it is not known where it stores.
// CHECK-LABEL: func.func private @sum(
// CHECK-NOT:     kind parallel
func.func private @sum(%A: memref<64xf32>, %S: memref<f32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %k = 0 to 64 {
    loop.block "S" (%vk = reduce(%k) in 64) {
      loop.init { loop.store %zero, %S[] : memref<f32> }
      %a = loop.load %A[%vk] : memref<64xf32>
      %s = loop.load %S[] : memref<f32>
      %t = arith.addf %s, %a : f32
      loop.store %t, %S[] : memref<f32>
    }
  }
  func.return
}
func.func private @scatter(%P: memref<64xindex>, %A: memref<64xf32>, %B: memref<64xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    loop.block "B" (%vi = spatial(%i) in 64) {
      %p = loop.load %P[%vi] : memref<64xindex>
      %a = loop.load %A[%vi] : memref<64xf32>
      loop.store %a, %B[%p] : memref<64xf32>
    }
  }
  func.return
}

// CASE fires: a symbolic number of iterations counts as many.
// CHECK-LABEL: func.func private @symbolic(
// CHECK:         loop.for %i = 0 to %n kind parallel {
// LEAST-LABEL: func.func private @symbolic(
// LEAST:         loop.for %i = 0 to %n kind parallel {
func.func private @symbolic(%A: memref<?xf32>, %B: memref<?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.for %i = 0 to %n {
    loop.block "B" (%vi = spatial(%i) in %n) {
      %a = loop.load %A[%vi] : memref<?xf32>
      loop.store %a, %B[%vi] : memref<?xf32>
    }
  }
  func.return
}
