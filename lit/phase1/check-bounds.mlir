// RUN: opt-tool --pass check-bounds %s | filecheck %s

// CASE fires: a row's number is checked before the loop that copies the row.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    loop.for %i = 0 to 64 {
// CHECK-NEXT:      %[[RAW:.*]] = loop.load %I[%i] : memref<64xi32>
// CHECK-NEXT:      %k = arith.index_cast %[[RAW]] : i32 to index
// CHECK-NEXT:      loop.assert (%k >= 0, %k < 8), "expected an index within [8, 16], but A[{}, {}] is read" (%k, 0)
// CHECK-NEXT:      loop.for %j = 0 to 16 {
// CHECK-NOT:         loop.assert
// CHECK:             loop.store
func.func @rows(%A: memref<8x16xf32>, %I: memref<64xi32>, %C: memref<64x16xf32>) {
  loop.for %i = 0 to 64 {
    loop.for %j = 0 to 16 {
      %0 = loop.load %I[%i] : memref<64xi32>
      %k = arith.index_cast %0 : i32 to index
      %a = loop.load %A[%k, %j] : memref<8x16xf32>
      loop.store %a, %C[%i, %j] : memref<64x16xf32>
    }
  }
  func.return
}

// CASE fires: all iterations have one truth value; only where it is false is it found out which. The store is known to
// be inside, and an equal check serves the second load.
// CHECK-LABEL: func.func @gather(
// CHECK:         %[[HOLD:.*]] = loop.for %i = 0 to 4 iter_args(%[[SOFAR:.*]] = %{{.*}}) -> (i1) {
// CHECK:           %[[HERE:.*]] = loop.test (%k >= 0, %k < 8) : i1
// CHECK-NEXT:      %[[BOTH:.*]] = arith.andi %[[SOFAR]], %[[HERE]] : i1
// CHECK-NEXT:      loop.yield %[[BOTH]] : i1
// CHECK:         arith.extui %[[HOLD]]
// CHECK:         loop.if (%{{.*}} < 1) {
// CHECK-NEXT:      loop.for %i_1 = 0 to 4 {
// CHECK:             loop.assert (%k_1 >= 0, %k_1 < 8), "expected an index within [8, 4], but A[{}, {}] is read" (%k_1, %i_1)
// CHECK:         loop.for %i_2 = 0 to 4 {
// CHECK-NOT:       loop.assert
// CHECK:           loop.load %A[%k_2, %i_2] : memref<8x4xf32>
// CHECK-NEXT:      loop.load %A[%k_2, %i_2] : memref<8x4xf32>
func.func @gather(%A: memref<8x4xf32>, %I: memref<4xi32>, %C: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    %0 = loop.load %I[%i] : memref<4xi32>
    %k = arith.index_cast %0 : i32 to index
    %a = loop.load %A[%k, %i] : memref<8x4xf32>
    %b = loop.load %A[%k, %i] : memref<8x4xf32>
    %s = arith.addf %a, %b : f32
    loop.store %s, %C[%i] : memref<4xf32>
  }
  func.return
}

// CASE fires: the loop writes the indices that it reads, so each check stands before its access.
// CHECK-LABEL: func.func @renumbered(
// CHECK-NEXT:    loop.for %i = 0 to 3 {
// CHECK:           loop.assert (%k >= 0, %k < 8)
// CHECK-NEXT:      loop.load %A[%k] : memref<8xf32>
func.func @renumbered(%A: memref<8xf32>, %I: memref<4xi32>, %n: i32, %C: memref<4xf32>) {
  loop.for %i = 0 to 3 {
    %0 = loop.load %I[%i] : memref<4xi32>
    %k = arith.index_cast %0 : i32 to index
    %a = loop.load %A[%k] : memref<8xf32>
    loop.store %a, %C[%i] : memref<4xf32>
    loop.store %n, %I[%i + 1] : memref<4xi32>
  }
  func.return
}

// CASE fires: what a guard leaves open is checked under it; an extent without a name gets one.
// CHECK-LABEL: func.func @guarded(
// CHECK-NEXT:    %[[N:.*]] = loop.dim %A, 0 : memref<?xf32>
// CHECK:           loop.test (%i < %[[N]] + 2) : i1
// CHECK-NEXT:      loop.test (%i >= 2) : i1
// CHECK:           loop.if (%i_1 >= 2) {
// CHECK-NEXT:        loop.assert (%i_1 < %[[N]] + 2), "expected an index within [{}], but A[{}] is read" (%[[N]], %i_1 - 2)
// CHECK-NEXT:      }
// CHECK:           loop.load %A[%i_2 - 2] where (%i_2 >= 2)
func.func @guarded(%A: memref<?xf32>, %C: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i - 2] where (%i >= 2) else %zero : memref<?xf32>
    loop.store %a, %C[%i] : memref<8xf32>
  }
  func.return
}

// CASE fires: a thread of a kernel goes on where its check fails, so its access is guarded by what was checked.
// CHECK-LABEL: func.func @kernel(
// CHECK:           loop.assert (%k >= 0, %k < 8), "expected an index within [8], but A[{}] is read" (%k)
// CHECK-NEXT:      %a = loop.load %A[%k] where (%k >= 0, %k < 8) else %zero : memref<8xf32>
func.func @kernel(%A: memref<8xf32>, %I: memref<4xi32>, %C: memref<4xf32>) {
  loop.for %t = 0 to 4 kind thread<"threadIdx.x"> {
    %0 = loop.load %I[%t] : memref<4xi32>
    %k = arith.index_cast %0 : i32 to index
    %a = loop.load %A[%k] : memref<8xf32>
    loop.store %a, %C[%t] : memref<4xf32>
  }
  func.return
}

// CASE fires: of lanes in a row the first and the last are checked, of masked ones each.
// CHECK-LABEL: func.func @lanes(
// CHECK-NEXT:    loop.assert (%n >= 0, %n < 16), "expected an index within [16], but A[{}] is written" (%n)
// CHECK-NEXT:    loop.assert (%n >= -3, %n < 13), "expected an index within [16], but A[{}] is written" (%n + 3)
// CHECK-NEXT:    loop.store %v, %A[%n + lane]
// CHECK-NEXT:    loop.if (%n < 4) {
// CHECK-NEXT:      loop.assert (%n >= 0), "expected an index within [16], but A[{}] is written" (%n)
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.if (%n < 3) {
// CHECK-NEXT:      loop.assert (%n >= -1), "expected an index within [16], but A[{}] is written" (%n + 1)
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.store %w, %A[%n + lane] where (%n + lane < 4)
func.func @lanes(%n: index, %v: vector<4xf32>, %w: vector<2xf32>, %A: memref<16xf32>) {
  loop.store %v, %A[%n + lane] : vector<4xf32>, memref<16xf32>
  loop.store %w, %A[%n + lane] where (%n + lane < 4) : vector<2xf32>, memref<16xf32>
  func.return
}

// CASE leaves alone: loops, guards and sizes say that all accesses are inside.
// CHECK-LABEL: func.func @proved(
func.func @proved(%A: memref<?x8xf32>, %C: memref<8xf32>) {
  %n = loop.dim %A, 0 : memref<?x8xf32>
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to %n {
    loop.for %j = 0 to 9 {
      %a = loop.load %A[%i, %j - 1] where (%j >= 1) else %zero : memref<?x8xf32>
      loop.if (%j < 8) { loop.store %a, %C[%j] : memref<8xf32> }
    }
  }
  func.return
}

// CASE leaves alone: the program asserts before the access what a check would ask.
// CHECK-LABEL: func.func @asserted(
// CHECK:         loop.assert (%k >= 0, %k < %n), "k is {}" (%k)
// CHECK-NEXT:    loop.for %i = 0 to 4 {
// CHECK-NEXT:      loop.store %x, %C[%k] : memref<?xf32>
// CHECK-NEXT:    }
func.func @asserted(%C: memref<?xf32>, %k: index, %x: f32) {
  %n = loop.dim %C, 0 : memref<?xf32>
  loop.assert (%k >= 0, %k < %n), "k is {}" (%k)
  loop.for %i = 0 to 4 { loop.store %x, %C[%k] : memref<?xf32> }
  func.return
}

// CASE fires: what a branch asserts is not known behind it.
// CHECK-LABEL: func.func @asserted_in_a_branch(
// CHECK:         loop.if (%j < 8) {
// CHECK-NEXT:      loop.assert (%j >= 0, %j < %n), "j is {}" (%j)
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.assert (%j >= 0, %j < %n), "expected an index within [{}], but C[{}] is written" (%n, %j)
// CHECK-NEXT:    loop.store %x, %C[%j] : memref<?xf32>
func.func @asserted_in_a_branch(%C: memref<?xf32>, %j: index, %x: f32) {
  %n = loop.dim %C, 0 : memref<?xf32>
  loop.if (%j < 8) { loop.assert (%j >= 0, %j < %n), "j is {}" (%j) }
  loop.store %x, %C[%j] : memref<?xf32>
  func.return
}

// CASE fires: an index of an index. The check of the inner index stands in front of its load, as the loop is
// parallel, so the check of the outer index stays behind it. An equal load has no separate check.
// CHECK-LABEL: func.func @indices_of_indices(
// CHECK-NEXT:    loop.for %o = 0 to 8 {
// CHECK-NEXT:      loop.for %i = 0 to 16 kind parallel {
// CHECK-NEXT:        %[[J:.*]] = loop.load %J[%i] : memref<16xi32>
// CHECK-NEXT:        %k = arith.index_cast %[[J]] : i32 to index
// CHECK-NEXT:        loop.assert (%k >= 0, %k < 6), "expected an index within [6], but I[{}] is read" (%k)
// CHECK-NEXT:        %[[I0:.*]] = loop.load %I[%k] : memref<6xi32>
// CHECK-NEXT:        %m = arith.index_cast %[[I0]] : i32 to index
// CHECK:             loop.test (%m + %{{.*}} >= 0, %m + %{{.*}} < 12) : i1
// CHECK:             loop.load %A[%m + %{{.*}}] : memref<12xf32>
// CHECK:             %[[I1:.*]] = loop.load %I[%k] : memref<6xi32>
// CHECK-NEXT:        %l = arith.index_cast %[[I1]] : i32 to index
// CHECK:             loop.test (%l + %{{.*}} >= 0, %l + %{{.*}} < 12) : i1
// CHECK:             loop.load %A[%l + %{{.*}}] : memref<12xf32>
func.func @indices_of_indices(%A: memref<12xf32>, %I: memref<6xi32>, %J: memref<16xi32>, %C: memref<8x16x4xf32>) {
  loop.for %o = 0 to 8 {
    loop.for %i = 0 to 16 kind parallel {
      %0 = loop.load %J[%i] : memref<16xi32>
      %k = arith.index_cast %0 : i32 to index
      %1 = loop.load %I[%k] : memref<6xi32>
      %m = arith.index_cast %1 : i32 to index
      loop.for %j = 0 to 4 {
        %a = loop.load %A[%m + %j] : memref<12xf32>
        loop.store %a, %C[%o, %i, %j] : memref<8x16x4xf32>
      }
      %2 = loop.load %I[%k] : memref<6xi32>
      %l = arith.index_cast %2 : i32 to index
      loop.for %j = 0 to 4 {
        %b = loop.load %A[%l + %j] : memref<12xf32>
        loop.store %b, %C[%o, %i, %j] : memref<8x16x4xf32>
      }
    }
  }
  func.return
}

// CASE fires: both checks of an index of an index stand in front of a serial loop, that of the inner index first.
// CHECK-LABEL: func.func @serial(
// CHECK:         loop.assert (%k{{.*}} >= 0, %k{{.*}} < 6), "expected an index within [6], but I[{}] is read"
// CHECK:         loop.assert (%m{{.*}} >= 0, %m{{.*}} < 12), "expected an index within [12], but A[{}] is read"
// CHECK:         loop.for
// CHECK-NOT:     loop.assert
// CHECK:         loop.store
func.func @serial(%A: memref<12xf32>, %I: memref<6xi32>, %J: memref<16xi32>, %C: memref<16xf32>) {
  loop.for %i = 0 to 16 {
    %0 = loop.load %J[%i] : memref<16xi32>
    %k = arith.index_cast %0 : i32 to index
    %1 = loop.load %I[%k] : memref<6xi32>
    %m = arith.index_cast %1 : i32 to index
    %a = loop.load %A[%m] : memref<12xf32>
    loop.store %a, %C[%i] : memref<16xf32>
  }
  func.return
}

// CASE fires: the program asserts that the index of an index is right, in the loop: nothing is loaded with it before. An
// assertion in front of the loop holds for checks there, and what needs none is computed in front of it.
// CHECK-LABEL: func.func @asserted_indices(
// CHECK-NEXT:    loop.for %i = 0 to 16 {
// CHECK-NEXT:      %[[J:.*]] = loop.load %J[%i] : memref<16xi32>
// CHECK-NEXT:      %k = arith.index_cast %[[J]] : i32 to index
// CHECK-NEXT:      loop.assert (%k >= 0, %k < 6), "k is {}" (%k)
// CHECK-NEXT:      %[[I:.*]] = loop.load %I[%k] : memref<6xi32>
// CHECK-NEXT:      %m = arith.index_cast %[[I]] : i32 to index
// CHECK-NEXT:      loop.assert (%m >= 0, %m < 12), "expected an index within [12], but A[{}] is read" (%m)
// CHECK:         loop.assert (%n >= 0, %n < 6), "n is {}" (%n)
// CHECK-NOT:     loop.assert
// CHECK:         loop.for %{{.*}} = 0 to 16 iter_args
// CHECK-NEXT:      %[[I1:.*]] = loop.load %I[%n] : memref<6xi32>
// CHECK:         loop.store
// CHECK:         loop.for %{{.*}} = 0 to 16 iter_args
// CHECK-NEXT:      %[[J1:.*]] = loop.load %J[%{{.*}}] : memref<16xi32>
// CHECK-NEXT:      arith.index_cast %[[J1]] : i32 to index
func.func @asserted_indices(%A: memref<12xf32>, %I: memref<6xi32>, %J: memref<16xi32>, %n: index, %C: memref<16xf32>) {
  loop.for %i = 0 to 16 {
    %0 = loop.load %J[%i] : memref<16xi32>
    %k = arith.index_cast %0 : i32 to index
    loop.assert (%k >= 0, %k < 6), "k is {}" (%k)
    %1 = loop.load %I[%k] : memref<6xi32>
    %m = arith.index_cast %1 : i32 to index
    %a = loop.load %A[%m] : memref<12xf32>
    loop.store %a, %C[%i] : memref<16xf32>
  }
  loop.assert (%n >= 0, %n < 6), "n is {}" (%n)
  loop.for %i = 0 to 16 {
    %2 = loop.load %I[%n] : memref<6xi32>
    %m = arith.index_cast %2 : i32 to index
    %a = loop.load %A[%m + %i] : memref<12xf32>
    loop.store %a, %C[%i] : memref<16xf32>
  }
  loop.for %i = 0 to 16 {
    %3 = loop.load %J[%i] : memref<16xi32>
    loop.assert (%n + %i < 18), "n is {}" (%n)
    %k = arith.index_cast %3 : i32 to index
    %a = loop.load %A[%k] : memref<12xf32>
    loop.store %a, %C[%i] : memref<16xf32>
  }
  func.return
}
