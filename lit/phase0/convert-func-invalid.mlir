// RUN: opt-tool --pass convert-func --split-input-file --verify-diagnostics %s

// CASE errs: callers pass buffers in row-major order.
// expected-error@+1 {{TW0571: expected buffers in row-major order where functions pass them}}
func.func @strided(%A: memref<4x4xf32, strided<[8, 1], offset: ?>>, %B: memref<4x4xf32>) {
  memref.copy %A, %B : memref<4x4xf32, strided<[8, 1], offset: ?>> to memref<4x4xf32>
  return
}

// -----

// expected-error@+1 {{TW0571: expected buffers without a memory space}}
func.func @space(%A: memref<4xf32, 3>, %B: memref<4xf32, 3>) {
  memref.copy %A, %B : memref<4xf32, 3> to memref<4xf32, 3>
  return
}

// -----

// expected-error@+1 {{TW0571: expected memrefs, tensors, numbers and indices as arguments, but got vector<4xf32>}}
func.func @vector(%v: vector<4xf32>, %A: memref<4xf32>, %B: memref<4xf32>) {
  memref.copy %A, %B : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @copy(%A: memref<4xf32>, %B: memref<4xf32>) {
  memref.copy %A, %B : memref<4xf32> to memref<4xf32>
  return
}
func.func @graph(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{TW0571: expected upstream MLIR without operations of graph in one module}}
  %y = graph.relu %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
