// RUN: ROUNDTRIP

// Every operation, with each of its optional parts there and absent.
// CHECK-LABEL: func.func @matmul(
func.func @matmul(%A: tensor<?x64xf32, #graph.dims<n, _>>, %B: tensor<64x32xf32>) -> tensor<?x32xf32> {
  // CHECK-NEXT: %n = te.dim %A, 0 : tensor<?x64xf32, #graph.dims<n, _>>
  %n = te.dim %A, 0 : tensor<?x64xf32, #graph.dims<n, _>>
  // CHECK-NEXT: te.bind %A shape [%n, 64] attributes {note = 1 : i64} : tensor<?x64xf32, #graph.dims<n, _>>
  te.bind %A shape [%n, 64] attributes {note = 1 : i64} : tensor<?x64xf32, #graph.dims<n, _>>
  // CHECK-NEXT: %C = te.compute "C" [%i to %n, %j to 32] reduce [%k to 64] attributes {note = 1 : i64} -> tensor<?x32xf32> {
  %C = te.compute "C" [%i to %n, %j to 32] reduce [%k to 64] attributes {note = 1 : i64} -> tensor<?x32xf32> {
    // CHECK-NEXT: %a = te.read %A[%i, %k] : tensor<?x64xf32, #graph.dims<n, _>>
    %a = te.read %A[%i, %k] : tensor<?x64xf32, #graph.dims<n, _>>
    // CHECK-NEXT: %b = te.read %B[%k, %j] : tensor<64x32xf32>
    %b = te.read %B[%k, %j] : tensor<64x32xf32>
    %p = arith.mulf %a, %b : f32
    // CHECK: te.reduce <add> %p : f32
    te.reduce <add> %p : f32
  }
  func.return %C : tensor<?x32xf32>
}

// CHECK-LABEL: func.func @pieces(
func.func @pieces(%X: tensor<56xf32>) -> (tensor<58xf32>, tensor<58xi1>, tensor<f32>, tensor<2x29xf32>) {
  // CHECK-NEXT: %w = te.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %w = te.constant dense<[1.0, 2.0]> : tensor<2xf32>
  // CHECK-NEXT: %r = te.constant resource<"w0"> : tensor<200xf32>
  %r = te.constant resource<"w0"> : tensor<200xf32>
  // CHECK-NEXT: %P, %M = te.compute "P" [%i to 58] -> tensor<58xf32>, tensor<58xi1> {
  %P, %M = te.compute "P" [%i to 58] -> tensor<58xf32>, tensor<58xi1> {
    %zero = arith.constant 0.0 : f32
    // CHECK: %x = te.read %X[%i - 1] where (%i >= 1, %i < 57) else %zero : tensor<56xf32>
    %x = te.read %X[%i - 1] where (%i >= 1, %i < 57) else %zero : tensor<56xf32>
    // CHECK-NEXT: te.read %w[(%i mod 2)] : tensor<2xf32>
    %y = te.read %w[%i mod 2] : tensor<2xf32>
    // CHECK-NEXT: %even = te.apply ((%i floordiv 2) * 2 + 1) : index
    %even = te.apply ((%i floordiv 2) * 2 + 1) : index
    // CHECK-NEXT: %inside = te.test (%i >= 1, %i < 57) : i1
    %inside = te.test (%i >= 1, %i < 57) : i1
    // CHECK-NEXT: te.yield %x, %inside : f32, i1
    te.yield %x, %inside : f32, i1
  }
  // CHECK: te.compute "S" [] reduce [%k to 56] -> tensor<f32> {
  %S = te.compute "S" [] reduce [%k to 56] -> tensor<f32> {
    %x = te.read %X[%k] : tensor<56xf32>
    // CHECK: te.reduce <max>
    te.reduce <max> %x : f32
  }
  // CHECK: %Q = te.reshape %P : tensor<58xf32> to tensor<2x29xf32>
  %Q = te.reshape %P : tensor<58xf32> to tensor<2x29xf32>
  func.return %P, %M, %S, %Q : tensor<58xf32>, tensor<58xi1>, tensor<f32>, tensor<2x29xf32>
}

// CHECK-LABEL: func.func @reducers(
func.func @reducers(%A: tensor<4x8xf32>, %b: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) {
  %T, %V = te.compute "T" [%i to 4] reduce [%k to 8] -> tensor<4xi32>, tensor<4xf32> {
    %n = arith.index_cast %k : index to i32
    %a = te.read %A[%i, %k] : tensor<4x8xf32>
    // CHECK: te.reduce %{{.*}}, %a attributes {note = 1 : i64} : i32, f32 identity [-1 : i32, 0xff800000 : f32] by (%xi, %xv), (%yi, %yv) {
    te.reduce %n, %a attributes {note = 1 : i64} : i32, f32 identity [-1 : i32, 0xff800000 : f32] by (%xi, %xv), (%yi, %yv) {
      // CHECK-NEXT: arith.cmpf ogt, %yv, %xv : f32
      %later = arith.cmpf ogt, %yv, %xv : f32
      %p = arith.select %later, %yi, %xi : i32
      %m = arith.select %later, %yv, %xv : f32
      // CHECK: te.yield %p, %m : i32, f32
      te.yield %p, %m : i32, f32
    }
  }
  %S = te.compute "S" [%i to 4] reduce [%k to 8] -> tensor<4xf32> {
    %a = te.read %A[%i, %k] : tensor<4x8xf32>
    %start = te.read %b[%i] : tensor<4xf32>
    // CHECK: te.reduce <max> %{{.*}} init %start : f32
    te.reduce <max> %a init %start : f32
  }
  func.return %T, %V, %S : tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @scan(
func.func @scan(%X: tensor<8x4xf32>, %a: tensor<1x4xf32>, %b: tensor<1x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  // CHECK: te.scan "S" (%s = %a, %r = %b : tensor<1x4xf32>, tensor<1x4xf32>) attributes {note = 1 : i64} -> tensor<8x4xf32>, tensor<8x4xf32> {
  %S, %R = te.scan "S" (%s = %a, %r = %b : tensor<1x4xf32>, tensor<1x4xf32>) attributes {note = 1 : i64} -> tensor<8x4xf32>, tensor<8x4xf32> {
    %u, %v = te.compute "update" [%t to 8, %i to 4] -> tensor<8x4xf32>, tensor<8x4xf32> {
      %x = te.read %X[%t, %i] : tensor<8x4xf32>
      %before = te.read %s[%t - 1, %i] : tensor<8x4xf32>
      %other = te.read %r[%t - 1, %i] : tensor<8x4xf32>
      %p = arith.addf %x, %before : f32
      %q = arith.mulf %x, %other : f32
      te.yield %p, %q : f32, f32
    }
    // CHECK: te.yield %u, %v : tensor<8x4xf32>, tensor<8x4xf32>
    te.yield %u, %v : tensor<8x4xf32>, tensor<8x4xf32>
  }
  func.return %S, %R : tensor<8x4xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @extern(
func.func @extern(%A: tensor<?x8xf32, #graph.dims<n, _>>) -> tensor<?xf32, #graph.dims<n>> {
  %n = te.dim %A, 0 : tensor<?x8xf32, #graph.dims<n, _>>
  // CHECK: te.extern "y" ins(%a = %A : tensor<?x8xf32, #graph.dims<n, _>>) outs(%b [%n] : tensor<?xf32, #graph.dims<n>>) attributes {note = 1 : i64} {
  %y = te.extern "y" ins(%a = %A : tensor<?x8xf32, #graph.dims<n, _>>) outs(%b [%n] : tensor<?xf32, #graph.dims<n>>) attributes {note = 1 : i64} {
    // CHECK-NEXT: loop.call_extern "f"(write %b[0] box [1] : memref<?xf32>, read %a[0, 0] box [1, 8] : memref<?x8xf32>)
    loop.call_extern "f"(write %b[0] box [1] : memref<?xf32>, read %a[0, 0] box [1, 8] : memref<?x8xf32>)
  }
  func.return %y : tensor<?xf32, #graph.dims<n>>
}

// CHECK-LABEL: func.func @prefix(
func.func @prefix(%A: tensor<8x3xf32>, %c: tensor<1xi64>) {
  // CHECK: %p = te.prefix %A, %c attributes {note = 1 : i64} : tensor<8x3xf32>, tensor<1xi64> to tensor<?x3xf32, #graph.dims<found, _>>
  %p = te.prefix %A, %c attributes {note = 1 : i64} : tensor<8x3xf32>, tensor<1xi64> to tensor<?x3xf32, #graph.dims<found, _>>
  func.return
}

// CHECK-LABEL: func.func @match(
func.func @match(%A: tensor<?x3xf32, #graph.dims<m, _>>) {
  // CHECK: %p = te.match %A attributes {note = 1 : i64} : tensor<?x3xf32, #graph.dims<m, _>> to tensor<?x3xf32, #graph.dims<n, _>>
  %p = te.match %A attributes {note = 1 : i64} : tensor<?x3xf32, #graph.dims<m, _>> to tensor<?x3xf32, #graph.dims<n, _>>
  func.return
}
