// RUN: opt-tool --pass unsafe-select %s | filecheck %s

// CASE fires: A has 8 elements; the read becomes part of the choice, on either side.
// CHECK-LABEL: func.func @outside(
// CHECK:         loop.for %i = 0 to 10 {
// CHECK-NEXT:      %c = loop.test (%i < 8) : i1
// CHECK-NEXT:      %r = loop.load %A[%i] where (%i < 8) else %one : memref<8xf32>
// CHECK-NEXT:      loop.store %r, %C[%i]
// CHECK-NEXT:      %d = loop.test (%i >= 8) : i1
// CHECK-NEXT:      %s = loop.load %A[%i] where (%i < 8) else %one : memref<8xf32>
// CHECK-NEXT:      loop.store %s, %C[%i]
func.func @outside(%A: memref<8xf32>, %C: memref<10xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 10 {
    %c = loop.test (%i < 8) : i1
    %a = loop.load %A[%i] : memref<8xf32>
    %r = arith.select %c, %a, %one : f32
    loop.store %r, %C[%i] : memref<10xf32>
    %d = loop.test (%i >= 8) : i1
    %b = loop.load %A[%i] : memref<8xf32>
    %s = arith.select %d, %one, %b : f32
    loop.store %s, %C[%i] : memref<10xf32>
  }
  func.return
}

// CASE fires: a condition on data guards what it decides about, two reads deep; the first of them is safe.
// CHECK-LABEL: func.func @gather(
// CHECK:           %b = arith.cmpi sge, %m, %{{.*}} : i32
// CHECK-NEXT:      %[[WIDE:.*]] = arith.extui %b : i1 to i64
// CHECK-NEXT:      %[[TRUE:.*]] = arith.index_cast %[[WIDE]] : i64 to index
// CHECK-NEXT:      %k = loop.load %I[%i] : memref<10xi32>
// CHECK-NEXT:      %x = arith.index_cast %k : i32 to index
// CHECK-NEXT:      %a = loop.load %A[%x] where (%[[TRUE]] >= 1) else %{{.*}} : memref<8xf32>
// CHECK-NEXT:      %n = arith.negf %a : f32
// CHECK-NEXT:      arith.select %b, %n, %one : f32
func.func @gather(%A: memref<8xf32>, %I: memref<10xi32>, %M: memref<10xi32>, %C: memref<10xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0 : i32
  loop.for %i = 0 to 10 {
    %m = loop.load %M[%i] : memref<10xi32>
    %b = arith.cmpi sge, %m, %zero : i32
    %k = loop.load %I[%i] : memref<10xi32>
    %x = arith.index_cast %k : i32 to index
    %a = loop.load %A[%x] : memref<8xf32>
    %n = arith.negf %a : f32
    %r = arith.select %b, %n, %one : f32
    loop.store %r, %C[%i] : memref<10xf32>
  }
  func.return
}

// CASE fires: a read that stands before its condition moves behind it.
// CHECK-LABEL: func.func @late(
// CHECK:           %m = loop.load %M[%i] : memref<10xi32>
// CHECK-NEXT:      %b = arith.cmpi sge, %m, %{{.*}} : i32
// CHECK:           %x = arith.index_cast %{{.*}} : i32 to index
// CHECK-NEXT:      %a = loop.load %A[%x] where (%{{.*}} >= 1) else %{{.*}} : memref<8xf32>
// CHECK-NEXT:      %n = arith.negf %a : f32
// CHECK-NEXT:      arith.select %b, %n, %one : f32
func.func @late(%A: memref<8xf32>, %I: memref<10xi32>, %M: memref<10xi32>, %C: memref<10xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0 : i32
  loop.for %i = 0 to 10 {
    %k = loop.load %I[%i] : memref<10xi32>
    %x = arith.index_cast %k : i32 to index
    %a = loop.load %A[%x] : memref<8xf32>
    %n = arith.negf %a : f32
    %m = loop.load %M[%i] : memref<10xi32>
    %b = arith.cmpi sge, %m, %zero : i32
    %r = arith.select %b, %n, %one : f32
    loop.store %r, %C[%i] : memref<10xf32>
  }
  func.return
}

// CASE fires: a condition that the function is given.
// CHECK-LABEL: func.func @given(
// CHECK:         %[[WIDE:.*]] = arith.extui %c : i1 to i64
// CHECK-NEXT:    %[[TRUE:.*]] = arith.index_cast %[[WIDE]] : i64 to index
// CHECK:           %a = loop.load %A[%x] where (%[[TRUE]] >= 1) else %{{.*}} : memref<8xf32>
func.func @given(%c: i1, %A: memref<8xf32>, %I: memref<10xi32>, %C: memref<10xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 10 {
    %k = loop.load %I[%i] : memref<10xi32>
    %x = arith.index_cast %k : i32 to index
    %a = loop.load %A[%x] : memref<8xf32>
    %n = arith.negf %a : f32
    %r = arith.select %c, %n, %one : f32
    loop.store %r, %C[%i] : memref<10xf32>
  }
  func.return
}

// CASE fires: the reverse, where no read can be outside: lanes can choose, but cannot be guarded by what they compute.
// CHECK-LABEL: func.func @safe(
// CHECK:           %t = arith.index_cast
// CHECK-NEXT:      %[[A:.*]] = loop.load %A[%i] : memref<8xf32>
// CHECK-NEXT:      %{{.*}} = arith.select %b, %[[A]], %x : f32
func.func @safe(%A: memref<8xf32>, %X: memref<8xf32>, %C: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 {
    %x = loop.load %X[%i] : memref<8xf32>
    %b = arith.cmpf ogt, %x, %zero : f32
    %0 = arith.extui %b : i1 to i64
    %t = arith.index_cast %0 : i64 to index
    %a = loop.load %A[%i] where (%t >= 1) else %x : memref<8xf32>
    loop.store %a, %C[%i] : memref<8xf32>
  }
  func.return
}

// CASE fires: what a division by zero gives is not chosen, so its divisor needs no choice.
// CHECK-LABEL: func.func @divisor(
// CHECK:           arith.divsi %x, %y : i32
func.func @divisor(%X: memref<8xi32>, %Y: memref<8xi32>, %C: memref<8xi32>) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  loop.for %i = 0 to 8 {
    %x = loop.load %X[%i] : memref<8xi32>
    %y = loop.load %Y[%i] : memref<8xi32>
    %b = arith.cmpi ne, %y, %zero : i32
    %d = arith.select %b, %y, %one : i32
    %q = arith.divsi %x, %d : i32
    %r = arith.select %b, %q, %zero : i32
    loop.store %r, %C[%i] : memref<8xi32>
  }
  func.return
}

// CASE leaves alone: the read is inside; it has users other than the select; a guard from outside the loop saves reads.
// CHECK-LABEL: func.func @fine(
func.func @fine(%A: memref<8xf32>, %I: memref<8xi32>, %n: i32, %C: memref<8xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0 : i32
  %f = arith.cmpi sge, %n, %zero : i32
  %w = arith.extui %f : i1 to i64
  %t = arith.index_cast %w : i64 to index
  loop.for %i = 0 to 8 {
    %c = loop.test (%i < 5) : i1
    %a = loop.load %A[%i] : memref<8xf32>
    %r = arith.select %c, %a, %one : f32
    loop.store %r, %C[%i] : memref<8xf32>
    %k = loop.load %I[%i] : memref<8xi32>
    %x = arith.index_cast %k : i32 to index
    %b = loop.load %A[%x] : memref<8xf32>
    %s = arith.select %c, %b, %one : f32
    %u = arith.addf %s, %b : f32
    loop.store %u, %C[%i] : memref<8xf32>
    %v = loop.load %A[%i] where (%t >= 1) else %one : memref<8xf32>
    loop.store %v, %C[%i] : memref<8xf32>
  }
  func.return
}

// CASE leaves alone: iterations that run at once may read what others write only where they would.
// CHECK-LABEL: func.func @written(
func.func @written(%A: memref<16xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 kind parallel {
    %x = loop.load %A[%i] : memref<16xf32>
    %b = arith.cmpf ogt, %x, %zero : f32
    %0 = arith.extui %b : i1 to i64
    %t = arith.index_cast %0 : i64 to index
    %a = loop.load %A[%i + 8] where (%t >= 1) else %x : memref<16xf32>
    loop.store %a, %A[%i] : memref<16xf32>
  }
  func.return
}
