// RUN: opt-tool --pass convert-tensor --split-input-file --verify-diagnostics %s

// CASE errs: the reduction is no combination of its output with a term.
func.func @horner(%x: tensor<8xf32>, %y: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{TW0571: expected a reduction that combines its output with one term, by an operation of arith}}
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<8xf32>) outs(%y : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.subf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @loop(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{TW0571: expected tensors without control flow around them, but got 'scf.for'}}
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%t = %x) -> (tensor<8xf32>) {
    scf.yield %t : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @mixed(%x: tensor<8xf32>, %m: memref<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  // expected-error@+1 {{TW0571: expected a function on tensors or on memrefs, but got both}}
  %a = memref.load %m[%c0] : memref<8xf32>
  return %x : tensor<8xf32>
}

// -----

// CASE errs: an operation of te beside it.
func.func @beside(%X: tensor<4xf32>, %b: i1) -> tensor<4xf32> {
  %r = te.reshape %X : tensor<4xf32> to tensor<4xf32>
  // expected-error@+1 {{TW0571: expected te.reshape and upstream MLIR in separate functions, but got arith.select beside it}}
  %s = arith.select %b, %X, %r : tensor<4xf32>
  func.return %s : tensor<4xf32>
}
