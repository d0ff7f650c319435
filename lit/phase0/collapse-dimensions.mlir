// RUN: opt-tool --pass collapse-dimensions %s | filecheck %s
// RUN: not opt-tool --pass lower-te,collapse-dimensions %s 2>&1 | filecheck %s --check-prefix ERROR

// CASE errs: loops have been made, so their number is fixed.
// ERROR: error[TW0205]: pass 'collapse-dimensions' works at level te, but the module is at level block

// CASE fires: a pointwise convolution becomes a matrix product, its epilogue with it.
// CHECK-LABEL: func.func private @pointwise(
// CHECK-SAME:      %X: tensor<64x3136xf32>, %W: tensor<256x64xf32>, %b: tensor<256xf32>) -> tensor<256x3136xf32>
// CHECK:       te.compute "conv" [%co to 256, %h to 3136] reduce [%ci to 64]
// CHECK-NEXT:    te.read %X[%ci, %h]
// CHECK-NEXT:    te.read %W[%co, %ci]
// CHECK:       te.compute "bias" [%{{.*}} to 256, %{{.*}} to 3136]
func.func private @pointwise(%X: tensor<1x64x56x56xf32>, %W: tensor<256x64x1x1xf32>, %b: tensor<256xf32>) -> tensor<1x256x56x56xf32> {
  %c = te.compute "conv" [%n to 1, %co to 256, %h to 56, %w to 56] reduce [%ci to 64, %kh to 1, %kw to 1] -> tensor<1x256x56x56xf32> {
    %x = te.read %X[%n, %ci, %h + %kh, %w + %kw] : tensor<1x64x56x56xf32>
    %wt = te.read %W[%co, %ci, %kh, %kw] : tensor<256x64x1x1xf32>
    %p = arith.mulf %x, %wt : f32
    te.reduce <add> %p : f32
  }
  %r = te.compute "bias" [%n to 1, %co to 256, %h to 56, %w to 56] -> tensor<1x256x56x56xf32> {
    %x = te.read %c[%n, %co, %h, %w] : tensor<1x256x56x56xf32>
    %bb = te.read %b[%co] : tensor<256xf32>
    %p = arith.addf %x, %bb : f32
    te.yield %p : f32
  }
  func.return %r : tensor<1x256x56x56xf32>
}

// CASE fires: a window ties the image's rows and columns to single axes: they stay separate, and only the batch of one
// goes.
// CHECK-LABEL: func.func private @window(
// CHECK-SAME:      %X: tensor<64x58x58xf32>, %W: tensor<64x64x3x3xf32>) -> tensor<64x56x56xf32>
// CHECK:       te.compute "conv" [%co to 64, %h to 56, %w to 56] reduce [%ci to 64, %kh to 3, %kw to 3]
func.func private @window(%X: tensor<1x64x58x58xf32>, %W: tensor<64x64x3x3xf32>) -> tensor<1x64x56x56xf32> {
  %c = te.compute "conv" [%n to 1, %co to 64, %h to 56, %w to 56] reduce [%ci to 64, %kh to 3, %kw to 3] -> tensor<1x64x56x56xf32> {
    %x = te.read %X[%n, %ci, %h + %kh, %w + %kw] : tensor<1x64x58x58xf32>
    %wt = te.read %W[%co, %ci, %kh, %kw] : tensor<64x64x3x3xf32>
    %p = arith.mulf %x, %wt : f32
    te.reduce <add> %p : f32
  }
  func.return %c : tensor<1x64x56x56xf32>
}

// CASE leaves alone: a transpose uses its axes in the other order: nothing melts.
// CHECK-LABEL: func.func private @transpose(%X: tensor<8x4xf32>) -> tensor<4x8xf32>
func.func private @transpose(%X: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %t = te.compute "t" [%i to 4, %j to 8] -> tensor<4x8xf32> {
    %x = te.read %X[%j, %i] : tensor<8x4xf32>
    te.yield %x : f32
  }
  func.return %t : tensor<4x8xf32>
}

// CASE fires: an axis of size 1 between two others does not hide that they are separate in the other operand.
// CHECK-LABEL: func.func private @broadcast(%X: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32>
func.func private @broadcast(%X: tensor<4x1x8xf32>, %b: tensor<8xf32>) -> tensor<4x1x8xf32> {
  %t = te.compute "add" [%i to 4, %u to 1, %j to 8] -> tensor<4x1x8xf32> {
    %x = te.read %X[%i, %u, %j] : tensor<4x1x8xf32>
    %y = te.read %b[%j] : tensor<8xf32>
    %s = arith.addf %x, %y : f32
    te.yield %s : f32
  }
  func.return %t : tensor<4x1x8xf32>
}

// CASE leaves alone: symbolic kernels stay as they are.
// CHECK-LABEL: func.func private @symbolic(%X: tensor<?x8xf32>) -> tensor<?x8xf32>
func.func private @symbolic(%X: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %n = te.dim %X, 0 : tensor<?x8xf32>
  %t = te.compute "copy" [%i to %n, %j to 8] -> tensor<?x8xf32> {
    %x = te.read %X[%i, %j] : tensor<?x8xf32>
    te.yield %x : f32
  }
  func.return %t : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @main(
// CHECK-SAME:      tensor<1x64x56x56xf32>
// CHECK:       te.reshape %X : tensor<1x64x56x56xf32> to tensor<64x3136xf32>
// CHECK:       te.reshape {{.*}} : tensor<256x3136xf32> to tensor<1x256x56x56xf32>
func.func @main(%X: tensor<1x64x56x56xf32>, %W: tensor<256x64x1x1xf32>, %b: tensor<256xf32>) -> tensor<1x256x56x56xf32> {
  %z = func.call @pointwise(%X, %W, %b) : (tensor<1x64x56x56xf32>, tensor<256x64x1x1xf32>, tensor<256xf32>) -> tensor<1x256x56x56xf32>
  func.return %z : tensor<1x256x56x56xf32>
}

// CASE fires: a public function keeps its signature; a reduction whose axes melt is a kernel that it calls.
// CHECK-LABEL: func.func @public(
// CHECK-SAME:      %X: tensor<1x64x8x8xf32> {tw.name = "X"}, %W: tensor<32x64xf32>) -> (tensor<1x32x8x8xf32> {tw.name = "Y"})
// CHECK-NEXT:  %{{.*}} = te.reshape %X : tensor<1x64x8x8xf32> to tensor<64x64xf32>
// CHECK-NEXT:  %[[C:.*]] = func.call @public_kernel(
// CHECK-NEXT:  %[[Y:.*]] = te.reshape %[[C]] : tensor<32x64xf32> to tensor<1x32x8x8xf32>
// CHECK-NEXT:  func.return %[[Y]]
// CHECK-LABEL: func.func private @public_kernel(%X: tensor<64x64xf32>, %W: tensor<32x64xf32>) -> tensor<32x64xf32>
// CHECK:       te.compute "conv" [%co to 32, %h to 64] reduce [%ci to 64]
func.func @public(%X: tensor<1x64x8x8xf32> {tw.name = "X"}, %W: tensor<32x64xf32>) -> (tensor<1x32x8x8xf32> {tw.name = "Y"}) {
  %c = te.compute "conv" [%n to 1, %co to 32, %h to 8, %w to 8] reduce [%ci to 64] -> tensor<1x32x8x8xf32> {
    %x = te.read %X[%n, %ci, %h, %w] : tensor<1x64x8x8xf32>
    %wt = te.read %W[%co, %ci] : tensor<32x64xf32>
    %p = arith.mulf %x, %wt : f32
    te.reduce <add> %p : f32
  }
  func.return %c : tensor<1x32x8x8xf32>
}

// CASE leaves alone: what a public function does to each element, and arguments whose strides the caller says.
// CHECK-LABEL: func.func @elementwise(
// CHECK-NOT:   func.call
// CHECK-LABEL: func.func @strided(
// CHECK-NOT:   func.call
func.func @elementwise(%X: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = te.compute "double" [%i to 8, %j to 8] -> tensor<8x8xf32> {
    %x = te.read %X[%i, %j] : tensor<8x8xf32>
    %y = arith.addf %x, %x : f32
    te.yield %y : f32
  }
  func.return %r : tensor<8x8xf32>
}
func.func @strided(%X: tensor<8x8x8xf32> {tw.strides = array<i64: 64, -9223372036854775808, 1>}) -> tensor<8xf32> {
  %r = te.compute "sum" [%i to 8] reduce [%j to 8, %k to 8] -> tensor<8xf32> {
    %x = te.read %X[%i, %j, %k] : tensor<8x8x8xf32>
    te.reduce <add> %x : f32
  }
  func.return %r : tensor<8xf32>
}

// -----

// CASE fires: named sizes that are used together are one; numbers stay separate from them.
// CHECK-LABEL: func.func @rows(
// CHECK:        %[[FLAT:.*]] = te.reshape %X : tensor<?x?x4xf32, #graph.dims<m, n, _>> to tensor<?x4xf32, #graph.dims<"m * n", _>>
// CHECK-NEXT:   %[[CALL:.*]] = func.call @scaled(%[[FLAT]], %v) : (tensor<?x4xf32, #graph.dims<"m * n", _>>, tensor<4xf32>) -> tensor<?x4xf32, #graph.dims<"m * n", _>>
// CHECK-NEXT:   te.reshape %[[CALL]] : tensor<?x4xf32, #graph.dims<"m * n", _>> to tensor<?x?x4xf32, #graph.dims<m, n, _>>
func.func @rows(%X: tensor<?x?x4xf32, #graph.dims<m, n, _>>, %v: tensor<4xf32>) -> tensor<?x?x4xf32, #graph.dims<m, n, _>> {
  %y = func.call @scaled(%X, %v) : (tensor<?x?x4xf32, #graph.dims<m, n, _>>, tensor<4xf32>) -> tensor<?x?x4xf32, #graph.dims<m, n, _>>
  func.return %y : tensor<?x?x4xf32, #graph.dims<m, n, _>>
}
// CHECK-LABEL: func.func private @scaled(
// CHECK-SAME:     %X: tensor<?x4xf32, #graph.dims<"m * n", _>>
// CHECK-NEXT:   %rows = te.dim %X, 0
// CHECK-NEXT:   te.compute "y" [%i to %rows, %k to 4] -> tensor<?x4xf32, #graph.dims<"m * n", _>> {
// CHECK-NEXT:     te.read %X[%i, %k]
// CHECK-NEXT:     te.read %v[%k]
func.func private @scaled(%X: tensor<?x?x4xf32, #graph.dims<m, n, _>>, %v: tensor<4xf32>) -> tensor<?x?x4xf32, #graph.dims<m, n, _>> {
  %m = te.dim %X, 0 : tensor<?x?x4xf32, #graph.dims<m, n, _>>
  %n = te.dim %X, 1 : tensor<?x?x4xf32, #graph.dims<m, n, _>>
  %y = te.compute "y" [%i to %m, %j to %n, %k to 4] -> tensor<?x?x4xf32, #graph.dims<m, n, _>> {
    %x = te.read %X[%i, %j, %k] : tensor<?x?x4xf32, #graph.dims<m, n, _>>
    %w = te.read %v[%k] : tensor<4xf32>
    %p = arith.mulf %x, %w : f32
    te.yield %p : f32
  }
  func.return %y : tensor<?x?x4xf32, #graph.dims<m, n, _>>
}

// -----

// CASE fires: a result between two computes has the sizes of its axes where its type names none.
// CHECK-LABEL: func.func private @unnamed_result(
// CHECK-SAME:     %X: tensor<?x4xf32, #graph.dims<"m * n", _>>) -> tensor<?x4xf32, #graph.dims<"m * n", _>>
// CHECK-NEXT:   %rows = te.dim %X, 0
// CHECK-NEXT:   te.compute "r" [%i to %rows, %k to 4] -> tensor<?x4xf32, #graph.dims<"m * n", _>> {
// CHECK:        te.compute "y" [%i_1 to %rows, %k_1 to 4] -> tensor<?x4xf32, #graph.dims<"m * n", _>> {
func.func private @unnamed_result(%X: tensor<?x?x4xf32, #graph.dims<m, n, _>>) -> tensor<?x?x4xf32, #graph.dims<m, n, _>> {
  %m = te.dim %X, 0 : tensor<?x?x4xf32, #graph.dims<m, n, _>>
  %n = te.dim %X, 1 : tensor<?x?x4xf32, #graph.dims<m, n, _>>
  %r = te.compute "r" [%i to %m, %j to %n, %k to 4] -> tensor<?x?x4xf32> {
    %x = te.read %X[%i, %j, %k] : tensor<?x?x4xf32, #graph.dims<m, n, _>>
    %s = arith.addf %x, %x : f32
    te.yield %s : f32
  }
  %y = te.compute "y" [%i to %m, %j to %n, %k to 4] -> tensor<?x?x4xf32, #graph.dims<m, n, _>> {
    %v = te.read %r[%i, %j, %k] : tensor<?x?x4xf32>
    %s = arith.mulf %v, %v : f32
    te.yield %s : f32
  }
  func.return %y : tensor<?x?x4xf32, #graph.dims<m, n, _>>
}

// -----

// CASE leaves alone: a tensor that has one of the sizes alone, and a result whose sizes no argument has together.
// CHECK-LABEL: func.func private @masked(
// CHECK:          te.compute "y" [%i to %m, %j to %n, %k to 4]
func.func private @masked(%X: tensor<?x?x4xf32, #graph.dims<m, n, _>>, %v: tensor<?xf32, #graph.dims<n>>) -> tensor<?x?x4xf32, #graph.dims<m, n, _>> {
  %m = te.dim %X, 0 : tensor<?x?x4xf32, #graph.dims<m, n, _>>
  %n = te.dim %X, 1 : tensor<?x?x4xf32, #graph.dims<m, n, _>>
  %y = te.compute "y" [%i to %m, %j to %n, %k to 4] -> tensor<?x?x4xf32, #graph.dims<m, n, _>> {
    %x = te.read %X[%i, %j, %k] : tensor<?x?x4xf32, #graph.dims<m, n, _>>
    %w = te.read %v[%j] : tensor<?xf32, #graph.dims<n>>
    %p = arith.mulf %x, %w : f32
    te.yield %p : f32
  }
  func.return %y : tensor<?x?x4xf32, #graph.dims<m, n, _>>
}
// CHECK-LABEL: func.func private @filled(
// CHECK:          te.compute "y" [%i to %m, %j to %n]
func.func private @filled(%X: tensor<?xf32, #graph.dims<m>>, %v: tensor<?xf32, #graph.dims<n>>) -> tensor<?x?xf32, #graph.dims<m, n>> {
  %m = te.dim %X, 0 : tensor<?xf32, #graph.dims<m>>
  %n = te.dim %v, 0 : tensor<?xf32, #graph.dims<n>>
  %y = te.compute "y" [%i to %m, %j to %n] -> tensor<?x?xf32, #graph.dims<m, n>> {
    %one = arith.constant 1.0 : f32
    te.yield %one : f32
  }
  func.return %y : tensor<?x?xf32, #graph.dims<m, n>>
}

// -----

// CASE fires: dimensions of `m` and `n` are one beside a scalar, which has none.
// CHECK-LABEL: func.func private @shifted(
// CHECK:          te.compute "y" [%i to %rows]
func.func private @shifted(%s: tensor<f32>, %X: tensor<?x?xf32, #graph.dims<m, n>>) -> tensor<?x?xf32, #graph.dims<m, n>> {
  %m = te.dim %X, 0 : tensor<?x?xf32, #graph.dims<m, n>>
  %n = te.dim %X, 1 : tensor<?x?xf32, #graph.dims<m, n>>
  %y = te.compute "y" [%i to %m, %j to %n] -> tensor<?x?xf32, #graph.dims<m, n>> {
    %x = te.read %X[%i, %j] : tensor<?x?xf32, #graph.dims<m, n>>
    %t = te.read %s[] : tensor<f32>
    %p = arith.addf %x, %t : f32
    te.yield %p : f32
  }
  func.return %y : tensor<?x?xf32, #graph.dims<m, n>>
}

// A symbolic batch and the rows of each are one dimension where vectors go along another one.
// CHECK-LABEL: func.func @batch
// CHECK:         te.reshape %X : tensor<?x6x8xf32, #graph.dims<n, _, _>> to tensor<?x8xf32, #graph.dims<"6 * n", _>>
// CHECK-LABEL: func.func private @sums
// CHECK:         te.compute "s" [%i to %rows]
func.func @batch(%X: tensor<?x6x8xf32, #graph.dims<n, _, _>>) -> tensor<?x6xf32, #graph.dims<n, _>> {
  %s = func.call @sums(%X) : (tensor<?x6x8xf32, #graph.dims<n, _, _>>) -> tensor<?x6xf32, #graph.dims<n, _>>
  func.return %s : tensor<?x6xf32, #graph.dims<n, _>>
}
func.func private @sums(%X: tensor<?x6x8xf32, #graph.dims<n, _, _>>) -> tensor<?x6xf32, #graph.dims<n, _>> {
  %n = te.dim %X, 0 : tensor<?x6x8xf32, #graph.dims<n, _, _>>
  %s = te.compute "s" [%i to %n, %j to 6] reduce [%k to 8] -> tensor<?x6xf32, #graph.dims<n, _>> {
    %x = te.read %X[%i, %j, %k] : tensor<?x6x8xf32, #graph.dims<n, _, _>>
    te.reduce <add> %x : f32
  }
  func.return %s : tensor<?x6xf32, #graph.dims<n, _>>
}

// CASE fires: rows that begin at a constant one, and conditions on the rows, are counted in elements.
// CHECK-LABEL: func.func private @joined_rows(
// CHECK-SAME:      %A: tensor<48xf32>, %B: tensor<6xf32>) -> tensor<54xf32>
// CHECK:       te.compute "concat" [%i to 54]
// CHECK:         te.read %B[%i - 48] where (%i >= 48)
// CHECK:         te.read %A[%i] where (%i < 48)
func.func private @joined_rows(%A: tensor<8x6xf32>, %B: tensor<1x6xf32>) -> tensor<9x6xf32> {
  %c = te.compute "concat" [%i to 9, %j to 6] -> tensor<9x6xf32> {
    %z = arith.constant 0.0 : f32
    %b = te.read %B[%i - 8, %j] where (%i >= 8) else %z : tensor<1x6xf32>
    %a = te.read %A[%i, %j] where (%i < 8) else %b : tensor<8x6xf32>
    te.yield %a : f32
  }
  func.return %c : tensor<9x6xf32>
}

// CASE leaves alone: a condition on the columns depends on the position within a row.
// CHECK-LABEL: func.func private @joined_columns(
// CHECK-SAME:      %A: tensor<8x6xf32>, %B: tensor<8x3xf32>) -> tensor<8x9xf32>
func.func private @joined_columns(%A: tensor<8x6xf32>, %B: tensor<8x3xf32>) -> tensor<8x9xf32> {
  %c = te.compute "concat" [%i to 8, %j to 9] -> tensor<8x9xf32> {
    %z = arith.constant 0.0 : f32
    %b = te.read %B[%i, %j - 6] where (%j >= 6) else %z : tensor<8x3xf32>
    %a = te.read %A[%i, %j] where (%j < 6) else %b : tensor<8x6xf32>
    te.yield %a : f32
  }
  func.return %c : tensor<8x9xf32>
}

// -----

// CASE fires: beside named sizes, neighbours that are numbers melt, and channels that are read in blocks are two
// dimensions; the size of a result is read off the argument that has its name.
// CHECK-LABEL: func.func private @images(
// CHECK-SAME:     %X: tensor<?x9x16xf32, #graph.dims<"4 * n", _, _>>) -> tensor<?x16x9xf32, #graph.dims<"4 * n", _, _>>
// CHECK-NEXT:     %rows = te.dim %X, 0
// CHECK-NEXT:     te.compute "r" [%i to %rows, %h to 9, %c to 16] -> tensor<?x9x16xf32, #graph.dims<"4 * n", _, _>>
// CHECK:          te.compute "y" [%i_1 to %rows, %c_1 to 16, %h_1 to 9] -> tensor<?x16x9xf32, #graph.dims<"4 * n", _, _>>
// CHECK-NEXT:       te.read %r[%i_1, %h_1, %c_1]
func.func private @images(%X: tensor<?x4x3x3x16xf32, #graph.dims<n, _, _, _, _>>) -> tensor<?x64x3x3xf32, #graph.dims<n, _, _, _>> {
  %n = te.dim %X, 0 : tensor<?x4x3x3x16xf32, #graph.dims<n, _, _, _, _>>
  %r = te.compute "r" [%i to %n, %b to 4, %h to 3, %w to 3, %c to 16] -> tensor<?x4x3x3x16xf32, #graph.dims<n, _, _, _, _>> {
    %x = te.read %X[%i, %b, %h, %w, %c] : tensor<?x4x3x3x16xf32, #graph.dims<n, _, _, _, _>>
    %s = arith.addf %x, %x : f32
    te.yield %s : f32
  }
  %m = te.dim %r, 0 : tensor<?x4x3x3x16xf32, #graph.dims<n, _, _, _, _>>
  %y = te.compute "y" [%i to %m, %c to 64, %h to 3, %w to 3] -> tensor<?x64x3x3xf32, #graph.dims<n, _, _, _>> {
    %v = te.read %r[%i, (%c floordiv 16), %h, %w, (%c mod 16)] : tensor<?x4x3x3x16xf32, #graph.dims<n, _, _, _, _>>
    te.yield %v : f32
  }
  func.return %y : tensor<?x64x3x3xf32, #graph.dims<n, _, _, _>>
}

// CASE fires: a dimension of size 1 goes, also where no sizes melt.
// CHECK-LABEL: func.func @single_image(
// CHECK:         %[[X:.*]] = te.reshape %X : tensor<1x?x4xf32, #graph.dims<_, n, _>> to tensor<?x4xf32, #graph.dims<n, _>>
// CHECK-NEXT:    %[[Y:.*]] = func.call @totals(%[[X]]) : (tensor<?x4xf32, #graph.dims<n, _>>) -> tensor<?xf32, #graph.dims<n>>
// CHECK-NEXT:    te.reshape %[[Y]] : tensor<?xf32, #graph.dims<n>> to tensor<1x?xf32, #graph.dims<_, n>>
func.func @single_image(%X: tensor<1x?x4xf32, #graph.dims<_, n, _>>) -> tensor<1x?xf32, #graph.dims<_, n>> {
  %y = func.call @totals(%X) : (tensor<1x?x4xf32, #graph.dims<_, n, _>>) -> tensor<1x?xf32, #graph.dims<_, n>>
  func.return %y : tensor<1x?xf32, #graph.dims<_, n>>
}
// CHECK-LABEL: func.func private @totals(
// CHECK:         %n = te.dim %X, 0 : tensor<?x4xf32, #graph.dims<n, _>>
// CHECK-NEXT:    te.compute "y" [%i to %n] reduce [%k to 4] -> tensor<?xf32, #graph.dims<n>> {
// CHECK-NEXT:      te.read %X[%i, %k]
func.func private @totals(%X: tensor<1x?x4xf32, #graph.dims<_, n, _>>) -> tensor<1x?xf32, #graph.dims<_, n>> {
  %n = te.dim %X, 1 : tensor<1x?x4xf32, #graph.dims<_, n, _>>
  %y = te.compute "y" [%b to 1, %i to %n] reduce [%k to 4] -> tensor<1x?xf32, #graph.dims<_, n>> {
    %x = te.read %X[%b, %i, %k] : tensor<1x?x4xf32, #graph.dims<_, n, _>>
    te.reduce <add> %x : f32
  }
  func.return %y : tensor<1x?xf32, #graph.dims<_, n>>
}
