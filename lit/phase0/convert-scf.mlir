// RUN: opt-tool --pass convert-scf --split-input-file %s | filecheck %s

// CASE fires: bounds that are constants or affine stand in the loop; comparisons of indices are guards.
// CHECK-LABEL: func.func @loop(
// CHECK:         %[[S:.*]] = loop.for %[[I:.*]] = 0 to %n iter_args(%[[ACC:.*]] = %zero) -> (f32) {
// CHECK:           loop.if (%[[I]] < 4) {
// CHECK:           loop.yield
func.func @loop(%A: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %a = memref.load %A[%i] : memref<?xf32>
    %t = arith.addf %acc, %a : f32
    %c = arith.cmpi slt, %i, %c4 : index
    scf.if %c {
      memref.store %t, %A[%i] : memref<?xf32>
    }
    scf.yield %t : f32
  }
  return %s : f32
}

// -----

// CASE fires: results of a condition on data go through a buffer.
// CHECK-LABEL: func.func @choice(
// CHECK:         %[[NUMBER:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK:         %[[R:.*]] = loop.alloc : memref<f32>
// CHECK-NEXT:    loop.if (%[[NUMBER]] >= 1) {
// CHECK:           loop.store %{{.*}}, %[[R]][] : memref<f32>
// CHECK:         } else {
// CHECK-NEXT:      loop.store %a, %[[R]][] : memref<f32>
// CHECK:         loop.load %[[R]][] : memref<f32>
func.func @choice(%a: f32, %b: f32, %A: memref<f32>) -> f32 {
  %c = arith.cmpf olt, %a, %b : f32
  %r = scf.if %c -> (f32) {
    %s = memref.load %A[] : memref<f32>
    scf.yield %s : f32
  } else {
    scf.yield %a : f32
  }
  return %r : f32
}

// -----

// CASE fires: a condition whose branches compute numbers selects one.
// CHECK-LABEL: func.func @selected(
// CHECK:         %[[S:.*]] = arith.addf %a, %b : f32
// CHECK-NEXT:    arith.select %c, %[[S]], %a : f32
func.func @selected(%a: f32, %b: f32) -> f32 {
  %c = arith.cmpf olt, %a, %b : f32
  %r = scf.if %c -> (f32) {
    %s = arith.addf %a, %b : f32
    scf.yield %s : f32
  } else {
    scf.yield %a : f32
  }
  return %r : f32
}

// -----

// CASE fires: scf.forall is a nest whose outermost loop is parallel; a switch compares with one case after the other.
// CHECK-LABEL: func.func @forall(
// CHECK:         loop.for %[[I:.*]] = 0 to 8 kind parallel {
// CHECK:           loop.for %{{.*}} = 0 to ((%n + 1) floordiv 2) {
// CHECK:             loop.if (%[[I]] >= 2, %[[I]] < 3) {
func.func @forall(%A: memref<8x?xf32>, %n: index) {
  %zero = arith.constant 0.0 : f32
  scf.forall (%i, %j) = (0, 0) to (8, %n) step (1, 2) {
    scf.index_switch %i
    case 2 {
      memref.store %zero, %A[%i, %j] : memref<8x?xf32>
      scf.yield
    }
    default {
    }
  }
  return
}

// -----

// CASE fires: a while loop that counts is an scf.for. Its result is the counter behind the last iteration.
// CHECK-LABEL: func.func @counts(
// CHECK:         loop.for %{{.*}} = 0 to %n {
// CHECK:         arith.maxsi %{{.*}}, %n : index
func.func @counts(%A: memref<?xf32>, %n: index) -> index {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%j: index):
    %k = arith.addi %j, %c1 : index
    memref.store %zero, %A[%j] : memref<?xf32>
    scf.yield %k : index
  }
  return %r : index
}

// -----

// CASE leaves alone: what is of another dialect.
// CHECK-LABEL: func.func @other(
// CHECK-NEXT:    affine.for
func.func @other(%A: memref<4xf32>) {
  affine.for %i = 0 to 4 {
    %a = affine.load %A[%i] : memref<4xf32>
    affine.store %a, %A[%i] : memref<4xf32>
  }
  return
}
