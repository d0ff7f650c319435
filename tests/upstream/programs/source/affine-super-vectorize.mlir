// Loops that become vector transfers.
// passes: affine-super-vectorize{virtual-vector-size=8}
// passes: affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
// passes: affine-super-vectorize{virtual-vector-size=4,8}
// passes: affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
// passes: affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
// passes: affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize

// -----
// program: row_of_open_length
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_1d.mlir
func.func @row_of_open_length(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: matrix_of_open_size
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_2d.mlir
func.func @matrix_of_open_size(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      %1 = affine.load %b[%i, %j] : memref<?x?xf32>
      %2 = arith.mulf %0, %1 : f32
      affine.store %2, %c[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: matrix_of_fixed_size
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_2d_inbounds.mlir
func.func @matrix_of_fixed_size(%a: memref<8x32xf32>, %b: memref<8x32xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 32 {
      %0 = affine.load %a[%i, %j] : memref<8x32xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %b[%i, %j] : memref<8x32xf32>
    }
  }
  return
}

// -----
// program: broadcast_of_a_scalar
// follows: mlir/test/Dialect/Affine/SuperVectorize/uniform_divergent.mlir
func.func @broadcast_of_a_scalar(%n: index, %a: memref<?xf32>, %f: f32, %g: memref<1xf32>) {
  affine.for %i = 0 to %n {
    %0 = affine.load %g[0] : memref<1xf32>
    %1 = arith.mulf %0, %f : f32
    %2 = affine.load %a[%i] : memref<?xf32>
    %3 = arith.addf %2, %1 : f32
    affine.store %3, %a[%i] : memref<?xf32>
  }
  return
}

// -----
// program: length_that_eight_does_not_divide
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_1d.mlir
func.func @length_that_eight_does_not_divide(%a: memref<37xf32>, %b: memref<40xf32>) {
  affine.for %i = 0 to 37 {
    %0 = affine.load %a[%i] : memref<37xf32>
    affine.store %0, %b[%i + 3] : memref<40xf32>
  }
  return
}

// -----
// program: sum_of_a_row
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_reduction.mlir
func.func @sum_of_a_row(%a: memref<16x64xi32>, %s: memref<16xi32>) {
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to 16 {
    %sum = affine.for %j = 0 to 64 iter_args(%acc = %zero) -> i32 {
      %0 = affine.load %a[%i, %j] : memref<16x64xi32>
      %1 = arith.addi %acc, %0 : i32
      affine.yield %1 : i32
    }
    affine.store %sum, %s[%i] : memref<16xi32>
  }
  return
}

// -----
// program: sum_of_an_open_row
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_reduction.mlir
func.func @sum_of_an_open_row(%a: memref<?x?xi32>, %s: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xi32>
  %n = memref.dim %a, %c1 : memref<?x?xi32>
  %zero = arith.constant 0 : i32
  affine.for %i = 0 to %m {
    %sum = affine.for %j = 0 to %n iter_args(%acc = %zero) -> i32 {
      %0 = affine.load %a[%i, %j] : memref<?x?xi32>
      %1 = arith.addi %acc, %0 : i32
      affine.yield %1 : i32
    }
    affine.store %sum, %s[%i] : memref<?xi32>
  }
  return
}

// -----
// program: smallest_of_a_row
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_reduction.mlir
func.func @smallest_of_a_row(%a: memref<64xi32>, %s: memref<1xi32>) {
  %most = arith.constant 2147483647 : i32
  %least = affine.for %j = 0 to 64 iter_args(%acc = %most) -> i32 {
    %0 = affine.load %a[%j] : memref<64xi32>
    %1 = arith.minsi %acc, %0 : i32
    affine.yield %1 : i32
  }
  affine.store %least, %s[0] : memref<1xi32>
  return
}

// -----
// program: column_by_column
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_outer_loop_transpose_2d.mlir
func.func @column_by_column(%n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %0 = affine.load %a[%j, %i] : memref<?x?xf32>
      affine.store %0, %b[%j, %i] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: constant_in_the_body
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_1d.mlir
func.func @constant_in_the_body(%n: index, %a: memref<?x?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %0 = arith.constant 0.5 : f32
      affine.store %0, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: applied_index
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_affine_apply.mlir
func.func @applied_index(%n: index, %a: memref<?xf32>, %b: memref<?x64xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 60 {
      %0 = affine.apply affine_map<(d0) -> (d0 + 3)>(%j)
      %1 = affine.load %a[%0] : memref<?xf32>
      affine.store %1, %b[%i, %j] : memref<?x64xf32>
    }
  }
  return
}

// -----
// program: step_of_two_vectors
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_non_unit_stride.mlir
func.func @step_of_two_vectors(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n step 1 {
    %0 = affine.load %a[%i * 2] : memref<?xf32>
    affine.store %0, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: dot_product_of_integers
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_reduction.mlir
func.func @dot_product_of_integers(%n: index, %a: memref<?xi64>, %b: memref<?xi64>, %s: memref<1xi64>) {
  %zero = arith.constant 0 : i64
  %dot = affine.for %i = 0 to %n iter_args(%acc = %zero) -> i64 {
    %0 = affine.load %a[%i] : memref<?xi64>
    %1 = affine.load %b[%i] : memref<?xi64>
    %2 = arith.muli %0, %1 : i64
    %3 = arith.addi %acc, %2 : i64
    affine.yield %3 : i64
  }
  affine.store %dot, %s[0] : memref<1xi64>
  return
}

// -----
// program: inner_bound_of_the_outer_loop
// follows: mlir/test/Dialect/Affine/SuperVectorize/vectorize_inner_loop_dep_bounds.mlir
func.func @inner_bound_of_the_outer_loop(%n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %0, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
