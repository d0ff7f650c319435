// Structured operations on buffers that become loops.
// passes: convert-linalg-to-loops
// passes: convert-linalg-to-affine-loops
// passes: convert-linalg-to-parallel-loops
// passes: linalg-generalize-named-ops
// passes: linalg-specialize-generic-ops
// passes: convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
// passes: convert-linalg-to-affine-loops,affine-loop-fusion,affine-scalrep
// passes: linalg-generalize-named-ops,convert-linalg-to-loops,canonicalize
// passes: linalg-inline-scalar-operands

// -----
// program: matmul_of_open_sizes
// follows: mlir/test/Dialect/Linalg/loops.mlir
func.func @matmul_of_open_sizes(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// -----
// program: matmul_after_fill
// follows: mlir/test/Dialect/Linalg/affine.mlir
func.func @matmul_after_fill(%a: memref<8x6xf32>, %b: memref<6x10xf32>, %c: memref<8x10xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%c : memref<8x10xf32>)
  linalg.matmul ins(%a, %b : memref<8x6xf32>, memref<6x10xf32>) outs(%c : memref<8x10xf32>)
  return
}

// -----
// program: batch_of_products
// follows: mlir/test/Dialect/Linalg/affine.mlir
func.func @batch_of_products(%a: memref<?x5x7xf32>, %b: memref<?x7x4xf32>, %c: memref<?x5x4xf32>) {
  linalg.batch_matmul ins(%a, %b : memref<?x5x7xf32>, memref<?x7x4xf32>) outs(%c : memref<?x5x4xf32>)
  return
}

// -----
// program: matrix_times_vector
// follows: mlir/test/Dialect/Linalg/loops.mlir
func.func @matrix_times_vector(%a: memref<?x?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.matvec ins(%a, %x : memref<?x?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// -----
// program: dot_of_two_vectors
// follows: mlir/test/Dialect/Linalg/loops.mlir
func.func @dot_of_two_vectors(%x: memref<?xf32>, %y: memref<?xf32>, %d: memref<f32>) {
  linalg.dot ins(%x, %y : memref<?xf32>, memref<?xf32>) outs(%d : memref<f32>)
  return
}

// -----
// program: convolution_of_one_dimension
// follows: mlir/test/Dialect/Linalg/loops.mlir
func.func @convolution_of_one_dimension(%x: memref<?xf32>, %w: memref<?xf32>, %y: memref<?xf32>) {
  linalg.conv_1d ins(%x, %w : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
  return
}

// -----
// program: convolution_of_images
// follows: mlir/test/Dialect/Linalg/affine.mlir
func.func @convolution_of_images(%x: memref<?x9x9x3xf32>, %w: memref<3x3x3x4xf32>, %y: memref<?x4x4x4xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : memref<?x9x9x3xf32>, memref<3x3x3x4xf32>) outs(%y : memref<?x4x4x4xf32>)
  return
}

// -----
// program: depthwise_convolution
// follows: mlir/test/Dialect/Linalg/generalize-named-ops.mlir
func.func @depthwise_convolution(%x: memref<1x8x8x4xf32>, %w: memref<3x3x4xf32>, %y: memref<1x6x6x4xf32>) {
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %w : memref<1x8x8x4xf32>, memref<3x3x4xf32>) outs(%y : memref<1x6x6x4xf32>)
  return
}

// -----
// program: pooling_by_sums
// follows: mlir/test/Dialect/Linalg/generalize-named-ops.mlir
func.func @pooling_by_sums(%x: memref<?x8x8x2xf32>, %y: memref<?x4x4x2xf32>) {
  %w = memref.alloc() : memref<2x2xf32>
  linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : memref<?x8x8x2xf32>, memref<2x2xf32>) outs(%y : memref<?x4x4x2xf32>)
  return
}

// -----
// program: pointwise_sum
// follows: mlir/test/Dialect/Linalg/loops.mlir
func.func @pointwise_sum(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]} ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----
// program: transposed_copy
// follows: mlir/test/Dialect/Linalg/loops.mlir
func.func @transposed_copy(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]} ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----
// program: row_sums
// follows: mlir/test/Dialect/Linalg/loops.mlir
func.func @row_sums(%a: memref<?x?xf32>, %s: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]} ins(%a : memref<?x?xf32>) outs(%s : memref<?xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.addf %y, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----
// program: index_in_the_body
// follows: mlir/test/Dialect/Linalg/loops.mlir
func.func @index_in_the_body(%a: memref<?x12xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
    outs(%a : memref<?x12xi32>) {
  ^bb0(%x: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %0 = arith.muli %i, %j : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.addi %x, %1 : i32
    linalg.yield %2 : i32
  }
  return
}

// -----
// program: broadcast_of_a_row
// follows: mlir/test/Dialect/Linalg/generalize-named-ops.mlir
func.func @broadcast_of_a_row(%a: memref<?xf32>, %b: memref<?x?xf32>) {
  linalg.broadcast ins(%a : memref<?xf32>) outs(%b : memref<?x?xf32>) dimensions = [0]
  return
}

// -----
// program: transpose_of_three_dimensions
// follows: mlir/test/Dialect/Linalg/generalize-named-ops.mlir
func.func @transpose_of_three_dimensions(%a: memref<?x4x6xf32>, %b: memref<6x?x4xf32>) {
  linalg.transpose ins(%a : memref<?x4x6xf32>) outs(%b : memref<6x?x4xf32>) permutation = [2, 0, 1]
  return
}

// -----
// program: copy_then_add
// follows: mlir/test/Dialect/Linalg/loops.mlir
func.func @copy_then_add(%a: memref<?xf32>, %b: memref<?xf32>, %c: memref<?xf32>) {
  linalg.copy ins(%a : memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.add ins(%b, %a : memref<?xf32>, memref<?xf32>) outs(%c : memref<?xf32>)
  return
}

// -----
// program: map_of_absolute_values
// follows: mlir/test/Dialect/Linalg/generalize-named-ops.mlir
func.func @map_of_absolute_values(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  linalg.map { math.absf } ins(%a : memref<?x?xf32>) outs(%b : memref<?x?xf32>)
  return
}

// -----
// program: reduce_to_the_largest
// follows: mlir/test/Dialect/Linalg/generalize-named-ops.mlir
func.func @reduce_to_the_largest(%a: memref<7x?xf32>, %b: memref<?xf32>) {
  linalg.reduce ins(%a : memref<7x?xf32>) outs(%b : memref<?xf32>) dimensions = [0]
    (%x: f32, %y: f32) {
      %0 = arith.maximumf %x, %y : f32
      linalg.yield %0 : f32
    }
  return
}

// -----
// program: scalar_operand
// follows: mlir/test/Dialect/Linalg/inline-scalar-operands.mlir
func.func @scalar_operand(%f: f32, %a: memref<?xf32>, %b: memref<?xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]} ins(%a, %f : memref<?xf32>, f32) outs(%b : memref<?xf32>) {
  ^bb0(%x: f32, %s: f32, %y: f32):
    %0 = arith.mulf %x, %s : f32
    linalg.yield %0 : f32
  }
  return
}

// -----
// program: window_of_three
// follows: mlir/test/Dialect/Linalg/loops.mlir
func.func @window_of_three(%x: memref<34xi32>, %w: memref<3xi32>, %y: memref<32xi32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>],
    iterator_types = ["parallel", "reduction"]} ins(%x, %w : memref<34xi32>, memref<3xi32>) outs(%y : memref<32xi32>) {
  ^bb0(%a: i32, %b: i32, %c: i32):
    %0 = arith.muli %a, %b : i32
    %1 = arith.addi %c, %0 : i32
    linalg.yield %1 : i32
  }
  return
}
