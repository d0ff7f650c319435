// RUN: opt-tool --pass lower-te --split-input-file --verify-diagnostics %s

// CASE errs: two sizes that nothing names.
func.func private @opaque(%X: tensor<4xf32>) -> tensor<?x?xf32> {
  %r = te.compute "r" [%i to 4] -> tensor<?xf32> {
    %x = te.read %X[%i] : tensor<4xf32>
    te.yield %x : f32
  }
  // expected-error @+1 {{expected to know the sizes of %c at entry, but dimension 0 is one without a name}}
  %c = te.reshape %r : tensor<?xf32> to tensor<?x?xf32>
  func.return %c : tensor<?x?xf32>
}

// -----

// CASE errs: a size whose name no argument has.
func.func @name(%X: tensor<?xf32, #graph.dims<n>>) -> tensor<?x?xf32, #graph.dims<m, k>> {
  // expected-error @+1 {{expected to know the sizes of %c at entry, but dimension 0 is one named 'm', which no argument has}}
  %c = te.reshape %X : tensor<?xf32, #graph.dims<n>> to tensor<?x?xf32, #graph.dims<m, k>>
  func.return %c : tensor<?x?xf32, #graph.dims<m, k>>
}

// -----

// CASE errs: there is nothing to lower.
// expected-error @+1 {{expected a body of function 'external', but got none}}
func.func private @external(tensor<4xf32>) -> tensor<4xf32>
func.func @main(%X: tensor<4xf32>) -> tensor<4xf32> {
  %r = te.reshape %X : tensor<4xf32> to tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// -----

// CASE errs: an operation that is not of this level.
func.func @foreign(%X: tensor<4xf32>) -> tensor<4xf32> {
  %r = te.reshape %X : tensor<4xf32> to tensor<4xf32>
  // expected-error @+1 {{expected te operations in function 'foreign', but got loop.for with a region}}
  loop.for %i = 0 to 4 {
  }
  func.return %r : tensor<4xf32>
}

// -----

// CASE errs: a size that is data and has no name.
func.func @nameless(%x: tensor<8xf32>, %c: tensor<1xi64>) -> tensor<8xf32> {
  // expected-error @+1 {{expected a size that is data outside of branches and loops, and with a name}}
  %p = te.prefix %x, %c : tensor<8xf32>, tensor<1xi64> to tensor<?xf32>
  func.return %x : tensor<8xf32>
}

// -----

// CASE errs: a size that no argument has cannot be checked.
func.func @matched(%x: tensor<?xf32, #graph.dims<n>>) -> tensor<?xf32, #graph.dims<m>> {
  // expected-error @+1 {{expected to know the sizes of %p at entry, but dimension 0 is one named 'm', which no argument has}}
  %p = te.match %x : tensor<?xf32, #graph.dims<n>> to tensor<?xf32, #graph.dims<m>>
  func.return %p : tensor<?xf32, #graph.dims<m>>
}
