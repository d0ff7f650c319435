// RUN: opt-tool --pass fuse --split-input-file %s | filecheck %s
// RUN: not opt-tool --pass "fuse{depth=2}" --split-input-file %s 2>&1 | filecheck %s --check-prefix OPTION
// RUN: opt-tool --phase 0 --print-pipeline --split-input-file --target none %s 2>&1 | filecheck %s --check-prefix DEFAULT

// CASE errs: how deep loops are shared is what they agree on.
// OPTION: error[TW0202]: pass 'fuse' has no option 'depth'

// The default pipeline leaves loops to the default schedules.
// DEFAULT: {{^}}dead-code,partition-blocks,auto-schedule{{$}}

// CASE fires: producer and consumer share their loops as deep as they agree. Values between the nests move before them.
// CHECK-LABEL: func.func private @matmul(
// CHECK:         %C = loop.alloc
// CHECK-NEXT:    %one = arith.constant
// CHECK-NEXT:    loop.for %i = 0 to 4 {
// CHECK-NEXT:      loop.for %j = 0 to 6 {
// CHECK-NEXT:        loop.for %k = 0 to 8 {
// CHECK-NEXT:          loop.block "C" (%vi = spatial(%i) in 4, %vj = spatial(%j) in 6, %vk = reduce(%k) in 8) {
// CHECK:               loop.store %s, %C[%vi, %vj]
// CHECK:             loop.block "E" (%vx = spatial(%i) in 4, %vy = spatial(%j) in 6) {
// CHECK-NOT:     loop.for
// CHECK:         func.return
func.func private @matmul(%A: memref<4x8xf32>, %B: memref<8x6xf32>, %D: memref<6xf32>, %E: memref<4x6xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  %C = loop.alloc : memref<4x6xf32>
  loop.for %i = 0 to 4 { loop.for %j = 0 to 6 { loop.for %k = 0 to 8 {
    loop.block "C" (%vi = spatial(%i) in 4, %vj = spatial(%j) in 6, %vk = reduce(%k) in 8) {
      loop.init { loop.store %zero, %C[%vi, %vj] : memref<4x6xf32> }
      %a = loop.load %A[%vi, %vk] : memref<4x8xf32>
      %b = loop.load %B[%vk, %vj] : memref<8x6xf32>
      %c = loop.load %C[%vi, %vj] : memref<4x6xf32>
      %p = arith.mulf %a, %b : f32
      %s = arith.addf %c, %p : f32
      loop.store %s, %C[%vi, %vj] : memref<4x6xf32>
    }
  } } }
  %one = arith.constant 1.0 : f32
  loop.for %x = 0 to 4 { loop.for %y = 0 to 6 {
    loop.block "E" (%vx = spatial(%x) in 4, %vy = spatial(%y) in 6) {
      %c = loop.load %C[%vx, %vy] : memref<4x6xf32>
      %d = loop.load %D[%vy] : memref<6xf32>
      %e = arith.addf %c, %d : f32
      %r = arith.maximumf %e, %one : f32
      loop.store %r, %E[%vx, %vy] : memref<4x6xf32>
    }
  } }
  func.return
}

// -----

// CASE fires: the rows of a softmax run together. Inside, what reads a whole row's maximum or sum comes after it, and
// the powers, which could be computed all at once, do not join the sum, which could not.
// CHECK-LABEL: func.func private @rows(
// CHECK:         loop.for %i = 0 to 4 {
// CHECK-NEXT:      loop.for %j = 0 to 8 {
// CHECK-NEXT:        loop.block "max"
// CHECK:           loop.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:        loop.block "exp"
// CHECK:           loop.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:        loop.block "sum"
// CHECK-NOT:     loop.for
func.func private @rows(%X: memref<4x8xf32>, %S: memref<4xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant -1.0e9 : f32
  %M = loop.alloc : memref<4xf32>
  loop.for %i = 0 to 4 { loop.for %j = 0 to 8 {
    loop.block "max" (%vi = spatial(%i) in 4, %vj = reduce(%j) in 8) {
      loop.init { loop.store %least, %M[%vi] : memref<4xf32> }
      %x = loop.load %X[%vi, %vj] : memref<4x8xf32>
      %m = loop.load %M[%vi] : memref<4xf32>
      %n = arith.maximumf %m, %x : f32
      loop.store %n, %M[%vi] : memref<4xf32>
    }
  } }
  %E = loop.alloc : memref<4x8xf32>
  loop.for %i = 0 to 4 { loop.for %j = 0 to 8 {
    loop.block "exp" (%vi = spatial(%i) in 4, %vj = spatial(%j) in 8) {
      %x = loop.load %X[%vi, %vj] : memref<4x8xf32>
      %m = loop.load %M[%vi] : memref<4xf32>
      %d = arith.subf %x, %m : f32
      %e = math.exp %d : f32
      loop.store %e, %E[%vi, %vj] : memref<4x8xf32>
    }
  } }
  loop.for %i = 0 to 4 { loop.for %j = 0 to 8 {
    loop.block "sum" (%vi = spatial(%i) in 4, %vj = reduce(%j) in 8) {
      loop.init { loop.store %zero, %S[%vi] : memref<4xf32> }
      %e = loop.load %E[%vi, %vj] : memref<4x8xf32>
      %s = loop.load %S[%vi] : memref<4xf32>
      %t = arith.addf %s, %e : f32
      loop.store %t, %S[%vi] : memref<4xf32>
    }
  } }
  func.return
}

// -----

// CASE fires: loops of symbolic extent, without blocks.
// CHECK-LABEL: func.func private @symbolic(
// CHECK:         loop.for %i = 0 to %n {
// CHECK-NEXT:      %a = loop.load %A[%i]
// CHECK-NEXT:      loop.store %a, %B[%i]
// CHECK-NEXT:      %[[B:.*]] = loop.load %B[%i]
// CHECK-NEXT:      loop.store %[[B]], %C[%i]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func private @symbolic(%A: memref<?xf32>, %B: memref<?xf32>, %C: memref<?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.for %i = 0 to %n {
    %a = loop.load %A[%i] : memref<?xf32>
    loop.store %a, %B[%i] : memref<?xf32>
  }
  loop.for %j = 0 to %n {
    %b = loop.load %B[%j] : memref<?xf32>
    loop.store %b, %C[%j] : memref<?xf32>
  }
  func.return
}

// -----

// CASE leaves alone: what is read is written later, or earlier by an iteration that it would have to wait for, or
// nothing is shared.
// CHECK-LABEL: func.func private @apart(
// CHECK-COUNT-5: loop.for
func.func private @apart(%A: memref<8xf32>, %B: memref<8xf32>, %C: memref<8xf32>, %D: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i] : memref<8xf32>
    loop.store %a, %B[%i] : memref<8xf32>
  }
  loop.for %j = 0 to 8 {
    %b = loop.load %B[7 - %j] : memref<8xf32>
    loop.store %b, %C[%j] : memref<8xf32>
  }
  loop.for %k = 0 to 8 {
    %c = loop.load %C[%k - 1] where (%k >= 1) else %zero : memref<8xf32>
    loop.store %c, %D[%k] : memref<8xf32>
  }
  loop.for %l = 0 to 8 { loop.store %zero, %A[%l] : memref<8xf32> }
  loop.for %m = 1 to 8 { loop.store %zero, %A[%m] : memref<8xf32> }
  func.return
}

// -----

// CASE leaves alone: loops between which something happens, loops of other kinds, and what a schedule has arranged.
// CHECK-LABEL: func.func private @arranged(
// CHECK-COUNT-2: loop.for
// CHECK-LABEL: func.func private @kinds(
// CHECK-COUNT-4: loop.for
func.func private @arranged(%A: memref<8xf32>, %B: memref<8xf32>) attributes {tw.scheduled} {
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i] : memref<8xf32>
    loop.store %a, %B[%i] : memref<8xf32>
  }
  loop.for %j = 0 to 8 {
    %b = loop.load %A[%j] : memref<8xf32>
    loop.store %b, %A[%j] : memref<8xf32>
  }
  func.return
}
func.func private @kinds(%A: memref<8xf32>, %B: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 8 { loop.store %one, %A[%i] : memref<8xf32> }
  loop.store %one, %B[0] : memref<8xf32>
  loop.for %j = 0 to 8 { loop.store %one, %A[%j] : memref<8xf32> }
  loop.for %k = 0 to 8 kind parallel { loop.store %one, %A[%k] : memref<8xf32> }
  loop.for %l = 0 to 8 kind parallel { loop.store %one, %A[%l] : memref<8xf32> }
  func.return
}
