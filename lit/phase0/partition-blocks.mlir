// RUN: opt-tool --pass partition-blocks --target "llvm -mcpu=x86-64-v3" %s | filecheck %s

// CASE fires: each of two tensors is copied to where it stands.
// CHECK-LABEL: func.func private @joined(
// CHECK:         loop.for %i = 0 to 8 {
// CHECK-NEXT:      loop.block "concat" (%vi = spatial(%i) in 8) {
// CHECK-NEXT:        [[A:%.*]] = loop.load %a[%vi] : memref<8xf32>
// CHECK-NEXT:        loop.store [[A]], %r[%vi] : memref<12xf32>
// CHECK:         loop.for %i_1 = 0 to 4 {
// CHECK-NEXT:      loop.block "concat_1" (%vi_1 = spatial(%i_1) in 4) {
// CHECK-NEXT:        [[B:%.*]] = loop.load %b[%vi_1] : memref<4xf32>
// CHECK-NEXT:        loop.store [[B]], %r[%vi_1 + 8] : memref<12xf32>
func.func private @joined(%a: memref<8xf32>, %b: memref<4xf32>, %r: memref<12xf32> {tw.output}) {
  loop.for %i = 0 to 12 {
    loop.block "concat" (%vi = spatial(%i) in 12) {
      %zero = arith.constant 0.0 : f32
      %0 = loop.load %b[%vi - 8] where (%vi >= 8) else %zero : memref<4xf32>
      %1 = loop.load %a[%vi] where (%vi < 8) else %0 : memref<8xf32>
      loop.store %1, %r[%vi] : memref<12xf32>
    }
  }
  func.return
}

// CASE fires: sizes are those of the tensors, and what is computed of a selected value is computed in each range.
// CHECK-LABEL: func.func private @symbolic(
// CHECK:         loop.for %i = 0 to %n {
// CHECK-NEXT:      loop.block "relu" (%vi = spatial(%i) in %n) {
// CHECK-NEXT:        [[A:%.*]] = loop.load %a[%vi] : memref<?xf32>
// CHECK-NEXT:        [[S:%.*]] = arith.addf [[A]], [[A]] : f32
// CHECK-NEXT:        loop.store [[S]], %r[%vi] : memref<?xf32>
// CHECK:         loop.for %i_1 = 0 to %m {
// CHECK-NEXT:      loop.block "relu_1" (%vi_1 = spatial(%i_1) in %m) {
// CHECK-NEXT:        [[B:%.*]] = loop.load %b[%vi_1] : memref<?xf32>
// CHECK-NEXT:        [[T:%.*]] = arith.addf [[B]], [[B]] : f32
// CHECK-NEXT:        loop.store [[T]], %r[%vi_1 + %n] : memref<?xf32>
func.func private @symbolic(%a: memref<?xf32>, %b: memref<?xf32>, %r: memref<?xf32> {tw.output}) {
  %n = loop.dim %a, 0 : memref<?xf32>
  %m = loop.dim %b, 0 : memref<?xf32>
  loop.bind %a shape [%n] strides [1] : memref<?xf32>
  loop.bind %b shape [%m] strides [1] : memref<?xf32>
  loop.bind %r shape [%n + %m] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n + %m {
    loop.block "relu" (%vi = spatial(%i) in %n + %m) {
      %zero = arith.constant 0.0 : f32
      %0 = loop.load %b[%vi - %n] where (%vi >= %n) else %zero : memref<?xf32>
      %1 = loop.load %a[%vi] where (%vi < %n) else %0 : memref<?xf32>
      %2 = arith.addf %1, %1 : f32
      loop.store %2, %r[%vi] : memref<?xf32>
    }
  }
  func.return
}

// CASE fires: what is filled up behind an open size reads nothing there; the size may lie behind the end.
// CHECK-LABEL: func.func private @extended(
// CHECK:         loop.for %i = 0 to %n {
// CHECK-NEXT:      loop.block "extend" (%vi = spatial(%i) in %n) where (%i < 64) {
// CHECK:             [[A:%.*]] = loop.load %a[%vi] : memref<?xf32>
// CHECK-NEXT:        loop.store [[A]], %r[%vi] : memref<64xf32>
// CHECK:         loop.for %i_1 = 0 to -%n + 64 {
// CHECK-NEXT:      loop.block "extend_1" (%vi_1 = spatial(%i_1) in -%n + 64) {
// CHECK-NEXT:        %zero{{.*}} = arith.constant
// CHECK-NEXT:        loop.store %zero{{.*}}, %r[%vi_1 + %n] : memref<64xf32>
func.func private @extended(%a: memref<?xf32>, %r: memref<64xf32> {tw.output}) {
  %n = loop.dim %a, 0 : memref<?xf32>
  loop.bind %a shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to 64 {
    loop.block "extend" (%vi = spatial(%i) in 64) {
      %zero = arith.constant 0.0 : f32
      %0 = loop.load %a[%vi] where (%vi < %n) else %zero : memref<?xf32>
      loop.store %0, %r[%vi] : memref<64xf32>
    }
  }
  func.return
}

// CASE fires: a condition on another axis stays, one that a selection asks is known.
// CHECK-LABEL: func.func private @selected(
// CHECK:         loop.for %i = 0 to 8 {
// CHECK-NEXT:      loop.for %j = 0 to 16 {
// CHECK-NEXT:        loop.block "s" (%vi = spatial(%i) in 8, %vj = spatial(%j) in 16) {
// CHECK-NEXT:          %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:          [[A:%.*]] = loop.load %a[%vi, %vj] where (%vj < 9) else %zero : memref<8x9xf32>
// CHECK-NEXT:          loop.store [[A]], %r[%vi, %vj]
// CHECK:         loop.for %i_1 = 0 to 4 {
// CHECK:           [[B:%.*]] = loop.load %b[%vi_1, %vj_1] : memref<4x16xf32>
// CHECK-NEXT:      loop.store [[B]], %r[%vi_1 + 8, %vj_1]
func.func private @selected(%a: memref<8x9xf32>, %b: memref<4x16xf32>, %r: memref<12x16xf32> {tw.output}) {
  loop.for %i = 0 to 12 {
    loop.for %j = 0 to 16 {
      loop.block "s" (%vi = spatial(%i) in 12, %vj = spatial(%j) in 16) {
        %zero = arith.constant 0.0 : f32
        %0 = loop.load %a[%vi, %vj] where (%vi < 8, %vj < 9) else %zero : memref<8x9xf32>
        %1 = loop.load %b[%vi - 8, %vj] where (%vi >= 8) else %zero : memref<4x16xf32>
        %first = loop.test (%vi < 8) : i1
        %2 = arith.select %first, %0, %1 : f32
        loop.store %2, %r[%vi, %vj] : memref<12x16xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: a padded tensor takes its one load in the middle as everywhere.
// CHECK-LABEL: func.func private @padded(
// CHECK:         loop.for %i = 0 to 12 {
// CHECK-NEXT:      loop.block
// CHECK-NOT:       loop.block
// CHECK:         func.return
func.func private @padded(%a: memref<8xf32>, %r: memref<12xf32> {tw.output}) {
  loop.for %i = 0 to 12 {
    loop.block "pad" (%vi = spatial(%i) in 12) {
      %zero = arith.constant 0.0 : f32
      %0 = loop.load %a[%vi - 2] where (%vi >= 2, %vi < 10) else %zero : memref<8xf32>
      loop.store %0, %r[%vi] : memref<12xf32>
    }
  }
  func.return
}

// CASE leaves alone: short rows of two tensors.
// CHECK-LABEL: func.func private @short_rows(
// CHECK:         loop.for %i = 0 to 100 {
// CHECK-NEXT:      loop.for %j = 0 to 2 {
// CHECK-NEXT:        loop.block
// CHECK-NOT:       loop.block
// CHECK:         func.return
func.func private @short_rows(%a: memref<100x1xf32>, %b: memref<100x1xf32>, %r: memref<100x2xf32> {tw.output}) {
  loop.for %i = 0 to 100 {
    loop.for %j = 0 to 2 {
      loop.block "stack" (%vi = spatial(%i) in 100, %vj = spatial(%j) in 2) {
        %zero = arith.constant 0.0 : f32
        %0 = loop.load %b[%vi, %vj - 1] where (%vj >= 1) else %zero : memref<100x1xf32>
        %1 = loop.load %a[%vi, %vj] where (%vj < 1) else %0 : memref<100x1xf32>
        loop.store %1, %r[%vi, %vj] : memref<100x2xf32>
      }
    }
  }
  func.return
}
