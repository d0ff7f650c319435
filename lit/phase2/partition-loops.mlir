// RUN: opt-tool --pass partition-loops %s | filecheck %s

// CASE fires: both borders of a padded read: a range in front, one behind; in each, the column beside the border alone
// is guarded.
// CHECK-LABEL: func.func private @padded(
// CHECK:         loop.for %i = 0 to 1 {
// CHECK-NEXT:      loop.for %k = 0 to 1 {
// CHECK-NEXT:        loop.load %X[%i + %k - 1] where (%i + %k >= 1, %i + %k < 41)
// CHECK:           loop.for %k_1 = 1 to 3 {
// CHECK-NEXT:        loop.load %X[%i + %k_1 - 1] : memref<40xf32>
// CHECK:         loop.for %i_1 = 1 to 39 {
// CHECK-NEXT:      loop.for %k_2 = 0 to 3 {
// CHECK-NEXT:        loop.load %X[%i_1 + %k_2 - 1] : memref<40xf32>
// CHECK:         loop.for %i_2 = 39 to 40 {
// CHECK-NEXT:      loop.for %k_3 = 0 to 2 {
// CHECK-NEXT:        loop.load %X[%i_2 + %k_3 - 1] : memref<40xf32>
// CHECK:           loop.for %k_4 = 2 to 3 {
// CHECK-NEXT:        {{.*}} where
func.func private @padded(%X: memref<40xf32>, %C: memref<40x3xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 40 {
    loop.for %k = 0 to 3 {
      %x = loop.load %X[%i + %k - 1] where (%i + %k >= 1, %i + %k < 41) else %z : memref<40xf32>
      loop.store %x, %C[%i, %k] : memref<40x3xf32>
    }
  }
  func.return
}

// CASE fires: a masked rest of vectors, and values carried from range to range.
// CHECK-LABEL: func.func private @masked(
// CHECK:         %s = loop.for %i = 0 to 6 iter_args(%acc = %{{.*}}) -> (f32) {
// CHECK-NEXT:      loop.load %X[%i * 16 + lane] : memref<100xf32>, vector<16xf32>
// CHECK:         %s_1 = loop.for %i_1 = 6 to 7 iter_args(%acc_1 = %s) -> (f32) {
// CHECK-NEXT:      loop.load %X[%i_1 * 16 + lane] where (%i_1 * 16 + lane < 100)
// CHECK:         loop.store %s_1, %C[0]
func.func private @masked(%X: memref<100xf32>, %Y: memref<100xf32>, %C: memref<1xf32>) {
  %z = arith.constant 0.0 : f32
  %s = loop.for %i = 0 to 7 iter_args(%acc = %z) -> (f32) {
    %x = loop.load %X[%i * 16 + lane] where (%i * 16 + lane < 100) else %z : memref<100xf32>, vector<16xf32>
    loop.store %x, %Y[%i * 16 + lane] where (%i * 16 + lane < 100) : vector<16xf32>, memref<100xf32>
    loop.yield %acc : f32
  }
  loop.store %s, %C[0] : memref<1xf32>
  func.return
}

// CASE fires: a parallel loop stays one: its body asks for the main part.
// CHECK-LABEL: func.func private @parallel(
// CHECK:         loop.for %i = 0 to 10 kind parallel {
// CHECK-NEXT:      loop.if (%i < 9) {
// CHECK-NEXT:        loop.for %j = 0 to 16 {
// CHECK-NEXT:          loop.store %{{.*}}, %C[%i * 16 + %j] : memref<150xf32>
// CHECK:           } else {
// CHECK-NEXT:        loop.for %j_1 = 0 to 16 {
// CHECK-NEXT:          loop.if (%i * 16 + %j_1 < 150) {
func.func private @parallel(%C: memref<150xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 10 kind parallel {
    loop.for %j = 0 to 16 {
      loop.if (%i * 16 + %j < 150) { loop.store %z, %C[%i * 16 + %j] : memref<150xf32> }
    }
  }
  func.return
}

// CASE fires: the shorter bound of an inner loop, with a symbolic size.
// CHECK-LABEL: func.func private @bounds(
// CHECK:         loop.for %i = 0 to min(%m, (%n floordiv 16)) {
// CHECK-NEXT:      loop.for %j = %i * 16 to %i * 16 + 16 kind vectorized {
// CHECK:         loop.for %i_1 = max((%n floordiv 16), 0) to %m {
// CHECK-NEXT:      loop.for %j_1 = %i_1 * 16 to min(%i_1 * 16 + 16, %n) kind vectorized {
func.func private @bounds(%n: index, %m: index, %C: memref<?xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to %m {
    loop.for %j = %i * 16 to min(%i * 16 + 16, %n) kind vectorized { loop.store %z, %C[%j] : memref<?xf32> }
  }
  func.return
}

// CASE leaves alone: the main part would be the smaller one; an index is not affine; two iterations are too few.
// CHECK-LABEL: func.func private @unsplit(
// CHECK-COUNT-3: loop.for
// CHECK-NOT:     loop.for
// CHECK:         func.return
func.func private @unsplit(%n: index, %C: memref<100xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 100 {
    loop.if (%i < 20) { loop.store %z, %C[%i] : memref<100xf32> }
  }
  loop.for %i = 0 to 100 {
    loop.if (%i mod 7 < 3) { loop.store %z, %C[%i] : memref<100xf32> }
  }
  loop.for %i = 0 to 2 {
    loop.if (%i < 1) { loop.store %z, %C[%i] : memref<100xf32> }
  }
  func.return
}

// CASE fires: a fused parallel loop: quotients have borders too, remainders are asked as they are.
// CHECK-LABEL: func.func private @fused(
// CHECK:         loop.for %f = 0 to 100 kind parallel {
// CHECK-NEXT:      loop.if (%f < 75, (%f mod 25) * 4 < 95) {
// CHECK-NEXT:        loop.for %j = 0 to 24 {
// CHECK-NEXT:          loop.store %{{.*}}, %C[(%f floordiv 25) * 24 + %j] : memref<90xf32>
// CHECK-NEXT:          loop.store %{{.*}}, %D[(%f mod 25) * 4] : memref<95xf32>
func.func private @fused(%C: memref<90xf32>, %D: memref<95xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %f = 0 to 100 kind parallel {
    loop.for %j = 0 to 24 {
      loop.store %z, %C[(%f floordiv 25) * 24 + %j] where ((%f floordiv 25) * 24 + %j < 90) : memref<90xf32>
      loop.store %z, %D[(%f mod 25) * 4] where ((%f mod 25) * 4 < 95) : memref<95xf32>
    }
  }
  func.return
}

// CASE fires: the same of a serial loop.
// CHECK-LABEL: func.func private @quotient(
// CHECK:         loop.for %f = 0 to 75 {
// CHECK:           loop.store %{{.*}}, %C[(%f floordiv 25) * 24 + %j] : memref<90xf32>
// CHECK:         loop.for %f_1 = 75 to 100 {
func.func private @quotient(%C: memref<90xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %f = 0 to 100 {
    loop.for %j = 0 to 24 {
      loop.store %z, %C[(%f floordiv 25) * 24 + %j] where ((%f floordiv 25) * 24 + %j < 90) : memref<90xf32>
    }
  }
  func.return
}

// CASE fires: the border moves with the loop around it, and leaves at least half of the iterations wherever it lies.
// CHECK-LABEL: func.func private @halves(
// CHECK:         loop.for %o = 0 to 2 {
// CHECK-NEXT:      loop.for %t = 0 to min(((-%o * 50 + 1) floordiv 3) + 33, 17) {
// CHECK-NEXT:        loop.for %r = 0 to 6 {
// CHECK-NEXT:          loop.store %{{.*}}, %C[%o * 100 + %t * 6 + %r] : memref<200xf32>
// CHECK:           loop.for %t_1 = max(((-%o * 50 + 1) floordiv 3) + 33, 0) to 17 {
// CHECK-NEXT:        loop.for %r_1 = 0 to 6 {
// CHECK-NEXT:          loop.store %{{.*}}, %C[%o * 100 + %t_1 * 6 + %r_1] where (%o * 100 + %t_1 * 6 + %r_1 < 200)
func.func private @halves(%C: memref<200xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %o = 0 to 2 {
    loop.for %t = 0 to 17 {
      loop.for %r = 0 to 6 {
        loop.store %z, %C[%o * 100 + %t * 6 + %r] where (%o * 100 + %t * 6 + %r < 200) : memref<200xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: a border that may leave less than half of the iterations.
// CHECK-LABEL: func.func private @moving(
// CHECK:         loop.for %t = 0 to 16 {
// CHECK-NEXT:      loop.store %{{.*}} where (%o * 4 + %t < 16)
func.func private @moving(%C: memref<64xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %o = 0 to 4 {
    loop.for %t = 0 to 16 {
      loop.store %z, %C[%o * 4 + %t] where (%o * 4 + %t < 16) : memref<64xf32>
    }
  }
  func.return
}

// CASE fires: of a border that moves with a large loop, the small loop inside takes care.
// CHECK-LABEL: func.func private @copied(
// CHECK:         loop.for %i = 0 to 8 {
// CHECK-NEXT:      loop.for %j = 0 to min(-%i * 8 + 1, 10) {
// CHECK:           loop.for %j_1 = max(-%i * 8 + 1, 0) to 10 {
// CHECK-NEXT:        %{{.*}} = loop.load %X[%i * 8 + %j_1 - 1] : memref<80xf32>
// CHECK:           loop.for %k = 0 to 8 {
// CHECK:           func.return
func.func private @copied(%X: memref<80xf32>, %P: memref<10xf32>, %C: memref<64xf32>, %D: memref<64xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 {
    loop.for %j = 0 to 10 {
      %x = loop.load %X[%i * 8 + %j - 1] where (%i * 8 + %j >= 1) else %z : memref<80xf32>
      loop.store %x, %P[%j] : memref<10xf32>
    }
    loop.for %k = 0 to 8 {
      %a = loop.load %P[%k] : memref<10xf32>
      %b = loop.load %P[%k + 1] : memref<10xf32>
      %c = loop.load %P[%k + 2] : memref<10xf32>
      %d = arith.addf %a, %b : f32
      %e = arith.mulf %d, %c : f32
      %f = arith.subf %e, %a : f32
      %g = arith.addf %f, %b : f32
      %h = arith.mulf %g, %c : f32
      loop.store %h, %C[%i * 8 + %k] : memref<64xf32>
      loop.store %g, %D[%i * 8 + %k] : memref<64xf32>
    }
  }
  func.return
}
