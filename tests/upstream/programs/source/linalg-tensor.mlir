// Structured operations on tensors: fusion, folding of unit dimensions, bufferization, tiling.
// passes: linalg-fuse-elementwise-ops
// passes: linalg-fold-unit-extent-dims
// passes: linalg-generalize-named-ops
// passes: linalg-specialize-generic-ops
// passes: linalg-morph-ops{named-to-generic}
// passes: one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}
// passes: one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-loops
// passes: convert-elementwise-to-linalg
// passes: linalg-generalize-named-ops,linalg-fuse-elementwise-ops,canonicalize,cse

// -----
// program: sum_then_product
// follows: mlir/test/Dialect/Linalg/fusion-elementwise-ops.mlir
func.func @sum_then_product(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.add ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.mul ins(%0, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----
// program: chain_of_generics
// follows: mlir/test/Dialect/Linalg/fusion-elementwise-ops.mlir
func.func @chain_of_generics(%a: tensor<8x?xf32>, %b: tensor<8x?xf32>, %o: tensor<8x?xf32>) -> tensor<8x?xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<8x?xf32>, tensor<8x?xf32>) outs(%o : tensor<8x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %2 = arith.subf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<8x?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x?xf32>) outs(%o : tensor<8x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %2 = arith.mulf %x, %x : f32
    linalg.yield %2 : f32
  } -> tensor<8x?xf32>
  return %1 : tensor<8x?xf32>
}

// -----
// program: transposed_producer
// follows: mlir/test/Dialect/Linalg/fusion-elementwise-ops.mlir
func.func @transposed_producer(%a: tensor<6x9xf32>, %b: tensor<9x6xf32>) -> tensor<6x9xf32> {
  %e = tensor.empty() : tensor<9x6xf32>
  %f = tensor.empty() : tensor<6x9xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<6x9xf32>, tensor<9x6xf32>) outs(%e : tensor<9x6xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %2 = arith.addf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<9x6xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<9x6xf32>) outs(%f : tensor<6x9xf32>) {
  ^bb0(%x: f32, %z: f32):
    %2 = math.absf %x : f32
    linalg.yield %2 : f32
  } -> tensor<6x9xf32>
  return %1 : tensor<6x9xf32>
}

// -----
// program: constant_producer
// follows: mlir/test/Dialect/Linalg/fusion-elementwise-ops.mlir
func.func @constant_producer(%a: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %half = arith.constant 0.5 : f32
  %0 = linalg.fill ins(%half : f32) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.mul ins(%a, %0 : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// -----
// program: index_of_the_producer
// follows: mlir/test/Dialect/Linalg/fusion-indexed.mlir
func.func @index_of_the_producer(%a: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]} ins(%a : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%x: i32, %z: i32):
    %i = linalg.index 0 : index
    %2 = arith.index_cast %i : index to i32
    %3 = arith.addi %x, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<?xi32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]} ins(%0 : tensor<?xi32>) outs(%o : tensor<?xi32>) {
  ^bb0(%x: i32, %z: i32):
    %2 = arith.muli %x, %x : i32
    linalg.yield %2 : i32
  } -> tensor<?xi32>
  return %1 : tensor<?xi32>
}

// -----
// program: unit_dimension_in_the_middle
// follows: mlir/test/Dialect/Linalg/drop-unit-extent-dims.mlir
func.func @unit_dimension_in_the_middle(%a: tensor<?x1x5xf32>, %o: tensor<?x1x5xf32>) -> tensor<?x1x5xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>],
    iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<?x1x5xf32>) outs(%o : tensor<?x1x5xf32>) {
  ^bb0(%x: f32, %z: f32):
    %1 = arith.negf %x : f32
    linalg.yield %1 : f32
  } -> tensor<?x1x5xf32>
  return %0 : tensor<?x1x5xf32>
}

// -----
// program: unit_dimensions_of_a_broadcast
// follows: mlir/test/Dialect/Linalg/drop-unit-extent-dims.mlir
func.func @unit_dimensions_of_a_broadcast(%a: tensor<1x7xf32>, %b: tensor<4x1xf32>) -> tensor<4x7xf32> {
  %e = tensor.empty() : tensor<4x7xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<1x7xf32>, tensor<4x1xf32>) outs(%e : tensor<4x7xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %1 = arith.addf %x, %y : f32
    linalg.yield %1 : f32
  } -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}

// -----
// program: product_that_adds
// follows: mlir/test/Dialect/Linalg/generalize-named-ops.mlir
func.func @product_that_adds(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----
// program: product_of_fixed_size_with_bias
// follows: mlir/test/Dialect/Linalg/bufferize.mlir
func.func @product_of_fixed_size_with_bias(%a: tensor<6x5xf32>, %b: tensor<5x4xf32>, %bias: tensor<4xf32>) -> tensor<6x4xf32> {
  %e = tensor.empty() : tensor<6x4xf32>
  %0 = linalg.broadcast ins(%bias : tensor<4xf32>) outs(%e : tensor<6x4xf32>) dimensions = [0]
  %1 = linalg.matmul ins(%a, %b : tensor<6x5xf32>, tensor<5x4xf32>) outs(%0 : tensor<6x4xf32>) -> tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}

// -----
// program: elementwise_arithmetic_on_tensors
// follows: mlir/test/Dialect/Linalg/convert-elementwise-to-linalg.mlir
func.func @elementwise_arithmetic_on_tensors(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = arith.addf %a, %b : tensor<?x4xf32>
  %1 = arith.mulf %0, %a : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// -----
// program: comparison_and_select
// follows: mlir/test/Dialect/Linalg/convert-elementwise-to-linalg.mlir
func.func @comparison_and_select(%a: tensor<12xi32>, %b: tensor<12xi32>) -> tensor<12xi32> {
  %0 = arith.cmpi sgt, %a, %b : tensor<12xi32>
  %1 = arith.select %0, %a, %b : tensor<12xi1>, tensor<12xi32>
  return %1 : tensor<12xi32>
}

// -----
// program: relu_of_a_sum
// follows: mlir/test/Dialect/Linalg/fusion-elementwise.mlir
func.func @relu_of_a_sum(%a: tensor<?x?xf32>, %bias: tensor<?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]} ins(%a, %bias : tensor<?x?xf32>, tensor<?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %2 = arith.addf %x, %y : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) {
  ^bb0(%x: f32, %z: f32):
    %2 = arith.maximumf %x, %zero : f32
    linalg.yield %2 : f32
  } -> tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// -----
// program: two_users_of_one_producer
// follows: mlir/test/Dialect/Linalg/fusion-multiuse-producer.mlir
func.func @two_users_of_one_producer(%a: tensor<?xf32>, %o: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = linalg.exp ins(%a : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.add ins(%0, %a : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// -----
// program: sum_of_a_fused_square
// follows: mlir/test/Dialect/Linalg/fuse_fill_op_with_reduce_op.mlir
func.func @sum_of_a_fused_square(%a: tensor<?x?xf32>, %o: tensor<?x?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.mul ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = linalg.reduce ins(%0 : tensor<?x?xf32>) outs(%s : tensor<?xf32>) dimensions = [1]
    (%x: f32, %y: f32) {
      %2 = arith.addf %x, %y : f32
      linalg.yield %2 : f32
    }
  return %1 : tensor<?xf32>
}

// -----
// program: loop_that_carries_a_tensor
// follows: mlir/test/Dialect/SCF/one-shot-bufferize.mlir
func.func @loop_that_carries_a_tensor(%n: index, %f: f32, %a: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> tensor<?xf32> {
    %0 = tensor.extract %t[%i] : tensor<?xf32>
    %1 = arith.mulf %0, %f : f32
    %2 = tensor.insert %1 into %t[%i] : tensor<?xf32>
    scf.yield %2 : tensor<?xf32>
  }
  return %r : tensor<?xf32>
}

// -----
// program: slices_of_a_tensor
// follows: mlir/test/Dialect/Tensor/one-shot-bufferize.mlir
func.func @slices_of_a_tensor(%a: tensor<10x8xf32>, %b: tensor<4x3xf32>) -> tensor<10x8xf32> {
  %0 = tensor.extract_slice %a[1, 2] [4, 3] [2, 1] : tensor<10x8xf32> to tensor<4x3xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %1 = linalg.add ins(%0, %b : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = tensor.insert_slice %1 into %a[1, 2] [4, 3] [2, 1] : tensor<4x3xf32> into tensor<10x8xf32>
  return %2 : tensor<10x8xf32>
}

// -----
// program: padded_row
// follows: mlir/test/Dialect/Tensor/bufferize.mlir
// passes: convert-tensor-to-linalg
func.func @padded_row(%a: tensor<9xf32>) -> tensor<14xf32> {
  %zero = arith.constant 0.0 : f32
  %0 = tensor.pad %a low[2] high[3] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<9xf32> to tensor<14xf32>
  return %0 : tensor<14xf32>
}
