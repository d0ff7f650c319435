// RUN: opt-tool --pass lower-blocks %s | filecheck %s
// RUN: opt-tool --pass lower-blocks,lower-blocks %s | filecheck %s

// CASE fires: a tile with a tail: the guard stays, the first instance of the reduction initialises, an iteration
// variable that is stored becomes a value.
// CHECK-LABEL: func.func @tail
// CHECK:         loop.for %k = 0 to 8 {
// CHECK-NEXT:      loop.if (%io * 4 + %ii < 10) {
// CHECK-NEXT:        %vi = loop.apply (%io * 4 + %ii) : index
// CHECK-NEXT:        loop.if (%k < 1) {
// CHECK-NEXT:          loop.store %zero, %C[%io * 4 + %ii] : memref<10xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:        %a = loop.load %A[%io * 4 + %ii, %k] : memref<10x8xf32>
// CHECK-NEXT:        %c = loop.load %C[%io * 4 + %ii] : memref<10xf32>
// CHECK-NEXT:        %s = arith.addf %a, %c : f32
// CHECK-NEXT:        loop.store %s, %C[%io * 4 + %ii] : memref<10xf32>
// CHECK-NEXT:        loop.store %vi, %I[%io * 4 + %ii] : memref<10xindex>
func.func @tail(%A: memref<10x8xf32>, %C: memref<10xf32>, %I: memref<10xindex>) {
  %zero = arith.constant 0.0 : f32
  loop.for %io = 0 to 3 kind parallel { loop.for %ii = 0 to 4 { loop.for %k = 0 to 8 {
    loop.block "C" (%vi = spatial(%io * 4 + %ii) in 10, %vk = reduce(%k) in 8) where (%io * 4 + %ii < 10) {
      loop.init { loop.store %zero, %C[%vi] : memref<10xf32> }
      %a = loop.load %A[%vi, %vk] : memref<10x8xf32>
      %c = loop.load %C[%vi] : memref<10xf32>
      %s = arith.addf %a, %c : f32
      loop.store %s, %C[%vi] : memref<10xf32>
      loop.store %vi, %I[%vi] : memref<10xindex>
    }
  } } }
  func.return
}

// CASE fires: nothing is reduced, and the guard always holds: no condition. A variable bound to a loop variable is
// that.
// CHECK-LABEL: func.func @proved
// CHECK:         loop.for %j = 0 to 5 {
// CHECK-NEXT:      loop.store %i, %I[%i, %j] : memref<4x5xindex>
// CHECK-NEXT:      loop.store %j, %I[%i, %j] : memref<4x5xindex>
// CHECK-NEXT:    }
// CHECK-NOT:     loop.if
func.func @proved(%I: memref<4x5xindex>) {
  loop.for %i = 0 to 4 { loop.for %j = 0 to 5 {
    loop.block "I" (%vi = spatial(%i) in 4, %vj = spatial(%j) in 5) where (%i * 5 + %j < 20) {
      loop.init { loop.store %vi, %I[%vi, %vj] : memref<4x5xindex> }
      loop.store %vj, %I[%vi, %vj] : memref<4x5xindex>
    }
  } }
  func.return
}

// CASE fires: a reduction split in two is at its first instance where the whole index is 0; over one element it always
// is.
// CHECK-LABEL: func.func @split_reduction
// CHECK:           loop.if (%ko * 4 + %ki < 1) {
// CHECK-NEXT:        loop.store %{{.*}}, %C[0] : memref<1xf32>
// CHECK-NEXT:      }
// CHECK:         loop.for %u = 0 to 1 {
// CHECK-NEXT:      loop.store
func.func @split_reduction(%C: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %ko = 0 to 2 { loop.for %ki = 0 to 4 {
    loop.block "C" (%vk = reduce(%ko * 4 + %ki) in 8) {
      loop.init { loop.store %zero, %C[0] : memref<1xf32> }
    }
  } }
  loop.for %u = 0 to 1 {
    loop.block "D" (%vk = reduce(%u) in 1) {
      loop.init { loop.store %zero, %C[0] : memref<1xf32> }
    }
  }
  func.return
}

// CASE fires: a fused loop: quotients and remainders that the ranges decide disappear.
// CHECK-LABEL: func.func @fused
// CHECK:           loop.store %v, %C[%i, %j] : memref<4x8xf32>
func.func @fused(%C: memref<4x8xf32>, %v: f32) {
  loop.for %i = 0 to 4 { loop.for %j = 0 to 8 {
    loop.block "C" (%vi = spatial((%i * 8 + %j) floordiv 8) in 4, %vj = spatial((%i * 8 + %j) mod 8) in 8) {
      loop.store %v, %C[%vi, %vj] : memref<4x8xf32>
    }
  } }
  func.return
}

// CASE leaves alone: there is no block.
// CHECK-LABEL: func.func @loops
// CHECK-NEXT:    loop.for %i = 0 to 4 {
// CHECK-NEXT:      loop.store %v, %C[%i] : memref<4xf32>
func.func @loops(%C: memref<4xf32>, %v: f32) {
  loop.for %i = 0 to 4 { loop.store %v, %C[%i] : memref<4xf32> }
  func.return
}

// CASE fires: an init where no iteration is the first one of the reduction is dropped.
// CHECK-LABEL: func.func private @later_terms(
// CHECK:         loop.for %k = 1 to 8 {
// CHECK-NEXT:      %a = loop.load %A[%k]
// CHECK-NEXT:      %c = loop.load %C[0]
func.func private @later_terms(%A: memref<8xf32>, %C: memref<1xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %k = 1 to 8 {
    loop.block "C" (%vi = spatial(0) in 1, %vk = reduce(%k) in 8) {
      loop.init { loop.store %zero, %C[%vi] : memref<1xf32> }
      %a = loop.load %A[%vk] : memref<8xf32>
      %c = loop.load %C[%vi] : memref<1xf32>
      %s = arith.addf %c, %a : f32
      loop.store %s, %C[%vi] : memref<1xf32>
    }
  }
  func.return
}
