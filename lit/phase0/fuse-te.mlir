// RUN: opt-tool --pass fuse --split-input-file %s | filecheck %s

// CASE fires: elementwise work after a reduction becomes one compute; the reduction stays.
// CHECK-LABEL: func.func private @epilogue(
// CHECK-NEXT:  %c = te.compute "conv"
// CHECK:       %r = te.compute "relu" [%[[I:.*]] to 4] -> tensor<4xf32> {
// CHECK-NEXT:    %[[X:.*]] = te.read %c[%[[I]]] : tensor<4xf32>
// CHECK-NEXT:    %y = te.read %b[%[[I]]] : tensor<4xf32>
// CHECK-NEXT:    %s = arith.addf %[[X]], %y : f32
// CHECK-NEXT:    %zero = arith.constant
// CHECK-NEXT:    %m = arith.maximumf %s, %zero : f32
// CHECK-NEXT:    te.yield %m : f32
func.func private @epilogue(%X: tensor<4x8xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %c = te.compute "conv" [%i to 4] reduce [%k to 8] -> tensor<4xf32> {
    %x = te.read %X[%i, %k] : tensor<4x8xf32>
    te.reduce <add> %x : f32
  }
  %a = te.compute "bias" [%i to 4] -> tensor<4xf32> {
    %x = te.read %c[%i] : tensor<4xf32>
    %y = te.read %b[%i] : tensor<4xf32>
    %s = arith.addf %x, %y : f32
    te.yield %s : f32
  }
  %r = te.compute "relu" [%i to 4] -> tensor<4xf32> {
    %x = te.read %a[%i] : tensor<4xf32>
    %zero = arith.constant 0.0 : f32
    %m = arith.maximumf %x, %zero : f32
    te.yield %m : f32
  }
  func.return %r : tensor<4xf32>
}

// -----

// CASE fires: index expressions compose: a reshape of a transpose. Conditions that the axes' ranges decide are folded.
// CHECK-LABEL: func.func private @injective(
// CHECK-NEXT:  te.compute "flat" [%i to 8, %j to 15] -> tensor<8x15xf32> {
// CHECK-NEXT:    te.read %X[(%j mod 5), (%j floordiv 5), %i] : tensor<5x3x8xf32>
// CHECK-NEXT:    te.yield
func.func private @injective(%X: tensor<5x3x8xf32>) -> tensor<8x15xf32> {
  %t = te.compute "transpose" [%i to 8, %j to 3, %k to 5] -> tensor<8x3x5xf32> {
    %x = te.read %X[%k, %j, %i] : tensor<5x3x8xf32>
    te.yield %x : f32
  }
  %l = te.compute "line" [%i to 120] -> tensor<120xf32> {
    %x = te.read %t[%i floordiv 15, %i floordiv 5 mod 3, %i mod 5] : tensor<8x3x5xf32>
    te.yield %x : f32
  }
  %r = te.compute "flat" [%i to 8, %j to 15] -> tensor<8x15xf32> {
    %x = te.read %l[%i * 15 + %j] : tensor<120xf32>
    te.yield %x : f32
  }
  func.return %r : tensor<8x15xf32>
}

// -----

// CASE fires: guards compose. A pad of a pad with one value is one guarded read; conditions that always hold are gone.
// CHECK-LABEL: func.func private @pads(
// CHECK-NEXT:  te.compute "outer" [%i to 8] -> tensor<8xf32> {
// CHECK-NEXT:    %[[Z:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %[[X:.*]] = te.read %X[%i - 2] where (%i >= 2, %i < 6) else %[[Z]] : tensor<4xf32>
// CHECK-NEXT:    te.yield %[[X]] : f32
func.func private @pads(%X: tensor<4xf32>) -> tensor<8xf32> {
  %p = te.compute "inner" [%i to 6] -> tensor<6xf32> {
    %zero = arith.constant 0.0 : f32
    %x = te.read %X[%i - 1] where (%i >= 1, %i < 5) else %zero : tensor<4xf32>
    te.yield %x : f32
  }
  %q = te.compute "outer" [%i to 8] -> tensor<8xf32> {
    %zero = arith.constant 0.0 : f32
    %x = te.read %p[%i - 1] where (%i >= 1, %i < 7, %i >= 0) else %zero : tensor<6xf32>
    te.yield %x : f32
  }
  func.return %q : tensor<8xf32>
}

// -----

// CASE fires: with another value, or with arithmetic on what is read, the value is chosen by a test; divisors are kept
// from being 0.
// CHECK-LABEL: func.func private @guarded_arithmetic(
// CHECK-NEXT:  te.compute "q" [%i to 8] -> tensor<8xi32> {
// CHECK-NEXT:    %minus = arith.constant -1 : i32
// CHECK-NEXT:    %[[Z:.*]] = arith.constant 0 : i32
// CHECK-NEXT:    %x = te.read %X[%i - 1] where (%i >= 1, %i < 5) else %[[Z]] : tensor<4xi32>
// CHECK-NEXT:    %y = te.read %Y[%i - 1] where (%i >= 1, %i < 5) else %[[Z]] : tensor<4xi32>
// CHECK-NEXT:    %[[ONE:.*]] = arith.constant 1 : i32
// CHECK-NEXT:    %[[IN:.*]] = te.test (%i >= 1, %i < 5) : i1
// CHECK-NEXT:    %[[DIVISOR:.*]] = arith.select %[[IN]], %y, %[[ONE]] : i32
// CHECK-NEXT:    %d = arith.divsi %x, %[[DIVISOR]] : i32
// CHECK-NEXT:    %[[V:.*]] = arith.select %[[IN]], %d, %minus : i32
// CHECK-NEXT:    te.yield %[[V]] : i32
func.func private @guarded_arithmetic(%X: tensor<4xi32>, %Y: tensor<4xi32>) -> tensor<8xi32> {
  %d = te.compute "d" [%i to 4] -> tensor<4xi32> {
    %x = te.read %X[%i] : tensor<4xi32>
    %y = te.read %Y[%i] : tensor<4xi32>
    %d = arith.divsi %x, %y : i32
    te.yield %d : i32
  }
  %q = te.compute "q" [%i to 8] -> tensor<8xi32> {
    %minus = arith.constant -1 : i32
    %v = te.read %d[%i - 1] where (%i >= 1, %i < 5) else %minus : tensor<4xi32>
    te.yield %v : i32
  }
  func.return %q : tensor<8xi32>
}

// -----

// CASE fires: an axis that the body computes with is the composed index; sizes of a compute that goes are its extents.
// CHECK-LABEL: func.func private @axis(
// CHECK-NEXT:  %n = te.dim %X, 0
// CHECK-NEXT:  te.compute "r" [%i to %n - 2] -> tensor<?xi64> {
// CHECK-NEXT:    %[[A:.*]] = te.apply (%i + 3) : index
// CHECK-NEXT:    arith.index_cast %[[A]] : index to i64
func.func private @axis(%X: tensor<?xi64>) -> tensor<?xi64> {
  %n = te.dim %X, 0 : tensor<?xi64>
  %a = te.compute "iota" [%i to %n + 1] -> tensor<?xi64> {
    %v = arith.index_cast %i : index to i64
    te.yield %v : i64
  }
  %m = te.dim %a, 0 : tensor<?xi64>
  %r = te.compute "r" [%i to %m - 3] -> tensor<?xi64> {
    %v = te.read %a[%i + 3] : tensor<?xi64>
    te.yield %v : i64
  }
  func.return %r : tensor<?xi64>
}

// -----

// CASE leaves alone: a reduction is never inlined, nor what is returned, nor costly work into a reader that repeats it.
// CHECK-LABEL: func.func private @stays(
// CHECK:       te.compute "max"
// CHECK:       te.compute "exp"
// CHECK:       te.compute "scale"
// CHECK:       te.compute "mul"
// CHECK:       te.compute "sum"
func.func private @stays(%X: tensor<4x8xf32>, %w: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %m = te.compute "max" [%i to 4] reduce [%k to 8] -> tensor<4xf32> {
    %x = te.read %X[%i, %k] : tensor<4x8xf32>
    te.reduce <max> %x : f32
  }
  %e = te.compute "exp" [%i to 4, %j to 8] -> tensor<4x8xf32> {
    %x = te.read %X[%i, %j] : tensor<4x8xf32>
    %y = te.read %m[%i] : tensor<4xf32>
    %d = arith.subf %x, %y : f32
    %v = math.exp %d : f32
    te.yield %v : f32
  }
  %s = te.compute "scale" [%j to 8] -> tensor<8xf32> {
    %y = te.read %w[%j] : tensor<8xf32>
    %r = math.sqrt %y : f32
    te.yield %r : f32
  }
  %p = te.compute "mul" [%i to 4, %j to 8] -> tensor<4x8xf32> {
    %x = te.read %e[%i, %j] : tensor<4x8xf32>
    %y = te.read %s[%j] : tensor<8xf32>
    %r = arith.mulf %x, %y : f32
    te.yield %r : f32
  }
  %t = te.compute "sum" [%i to 4] reduce [%k to 8] -> tensor<4xf32> {
    %x = te.read %e[%i, %k] : tensor<4x8xf32>
    te.reduce <add> %x : f32
  }
  func.return %p, %t : tensor<4x8xf32>, tensor<4xf32>
}

// -----

// CASE leaves alone: a border that would be tested for each of ten reads of an element.
// CHECK-LABEL: func.func private @often(
// CHECK:       te.compute "pad"
// CHECK:       te.compute "sum"
func.func private @often(%X: tensor<19xf32>) -> tensor<12x2xf32> {
  %z = arith.constant 0.0 : f32
  %P = te.compute "pad" [%i to 21] -> tensor<21xf32> {
    %x = te.read %X[%i - 1] where (%i >= 1, %i < 20) else %z : tensor<19xf32>
    te.yield %x : f32
  }
  %S = te.compute "sum" [%i to 12, %j to 2] -> tensor<12x2xf32> {
    %x0 = te.read %P[%i + 0] : tensor<21xf32>
    %x1 = te.read %P[%i + 1] : tensor<21xf32>
    %x2 = te.read %P[%i + 2] : tensor<21xf32>
    %x3 = te.read %P[%i + 3] : tensor<21xf32>
    %x4 = te.read %P[%i + 4] : tensor<21xf32>
    %x5 = te.read %P[%i + 5] : tensor<21xf32>
    %x6 = te.read %P[%i + 6] : tensor<21xf32>
    %x7 = te.read %P[%i + 7] : tensor<21xf32>
    %x8 = te.read %P[%i + 8] : tensor<21xf32>
    %x9 = te.read %P[%i + 9] : tensor<21xf32>
    %s1 = arith.addf %x0, %x1 : f32
    %s2 = arith.addf %s1, %x2 : f32
    %s3 = arith.addf %s2, %x3 : f32
    %s4 = arith.addf %s3, %x4 : f32
    %s5 = arith.addf %s4, %x5 : f32
    %s6 = arith.addf %s5, %x6 : f32
    %s7 = arith.addf %s6, %x7 : f32
    %s8 = arith.addf %s7, %x8 : f32
    %s9 = arith.addf %s8, %x9 : f32
    te.yield %s9 : f32
  }
  func.return %S : tensor<12x2xf32>
}

// -----

// CASE fires: costly work is inlined where each element is read once, also into a reduction.
// CHECK-LABEL: func.func private @once(
// CHECK-NEXT:  te.compute "sum" [%i to 4] reduce [%k to 8]
// CHECK-NEXT:    te.read %X[%i, %k]
// CHECK-NEXT:    math.exp
// CHECK-NEXT:    te.reduce <add>
func.func private @once(%X: tensor<4x8xf32>) -> tensor<4xf32> {
  %e = te.compute "exp" [%i to 4, %j to 8] -> tensor<4x8xf32> {
    %x = te.read %X[%i, %j] : tensor<4x8xf32>
    %v = math.exp %x : f32
    te.yield %v : f32
  }
  %t = te.compute "sum" [%i to 4] reduce [%k to 8] -> tensor<4xf32> {
    %x = te.read %e[%i, %k] : tensor<4x8xf32>
    te.reduce <add> %x : f32
  }
  func.return %t : tensor<4xf32>
}

// -----

// CASE fires: what nothing reads is gone, sizes and constants too.
// CHECK-LABEL: func.func private @dead(
// CHECK-NEXT:  te.reshape
// CHECK-NEXT:  func.return
func.func private @dead(%X: tensor<?xf32>) -> tensor<?xf32> {
  %n = te.dim %X, 0 : tensor<?xf32>
  %w = te.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = te.compute "r" [%i to %n] -> tensor<?xf32> {
    %x = te.read %X[%i] : tensor<?xf32>
    %y = te.read %w[0] : tensor<2xf32>
    te.yield %y : f32
  }
  %q = te.reshape %X : tensor<?xf32> to tensor<?xf32>
  func.return %q : tensor<?xf32>
}

// -----

// CASE fires: all results of an operation go along.
// CHECK-LABEL: func.func private @two_results(
// CHECK-NEXT:  te.compute "reader" [%i to 4] -> tensor<4xi1> {
// CHECK:         %s, %[[C:.*]] = arith.addui_extended
// CHECK-NEXT:    te.yield %[[C]] : i1
func.func private @two_results(%X: tensor<4xi8>) -> tensor<4xi1> {
  %c = te.compute "carry" [%i to 4] -> tensor<4xi1> {
    %x = te.read %X[%i] : tensor<4xi8>
    %s, %o = "arith.addui_extended"(%x, %x) : (i8, i8) -> (i8, i1)
    te.yield %o : i1
  }
  %r = te.compute "reader" [%i to 4] -> tensor<4xi1> {
    %x = te.read %c[%i] : tensor<4xi1>
    te.yield %x : i1
  }
  func.return %r : tensor<4xi1>
}
