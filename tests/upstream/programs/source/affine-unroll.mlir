// Loops that are unrolled, and nests whose inner loops are jammed.
// passes: affine-loop-unroll{unroll-factor=4}
// passes: affine-loop-unroll{unroll-factor=3}
// passes: affine-loop-unroll{unroll-factor=4 cleanup-unroll}
// passes: affine-loop-unroll{unroll-factor=-1}
// passes: affine-loop-unroll-jam{unroll-jam-factor=2}
// passes: affine-loop-unroll-jam{unroll-jam-factor=3},canonicalize
// passes: affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize

// -----
// program: rows_of_open_length
// follows: mlir/test/Dialect/Affine/unroll.mlir
func.func @rows_of_open_length(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: seven_times
// follows: mlir/test/Dialect/Affine/unroll.mlir
func.func @seven_times(%n: index, %a: memref<?x7xf32>, %b: memref<?x7xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 7 {
      %0 = affine.load %a[%i, %j] : memref<?x7xf32>
      %1 = affine.load %b[%i, %j] : memref<?x7xf32>
      %2 = arith.subf %0, %1 : f32
      affine.store %2, %b[%i, %j] : memref<?x7xf32>
    }
  }
  return
}

// -----
// program: sum_in_a_carried_value
// follows: mlir/test/Dialect/Affine/unroll.mlir
func.func @sum_in_a_carried_value(%a: memref<?xf32>, %s: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32>
  %sum = affine.for %i = 0 to %n iter_args(%acc = %zero) -> f32 {
    %0 = affine.load %a[%i] : memref<?xf32>
    %1 = arith.addf %acc, %0 : f32
    affine.yield %1 : f32
  }
  affine.store %sum, %s[0] : memref<1xf32>
  return
}

// -----
// program: two_carried_values
// follows: mlir/test/Dialect/Affine/unroll.mlir
func.func @two_carried_values(%a: memref<30xi64>, %s: memref<2xi64>) {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0 : i64
  %r:2 = affine.for %i = 0 to 30 iter_args(%x = %zero, %y = %one) -> (i64, i64) {
    %0 = affine.load %a[%i] : memref<30xi64>
    %1 = arith.addi %x, %y : i64
    %2 = arith.xori %y, %0 : i64
    affine.yield %2, %1 : i64, i64
  }
  affine.store %r#0, %s[0] : memref<2xi64>
  affine.store %r#1, %s[1] : memref<2xi64>
  return
}

// -----
// program: bound_of_the_outer_loop
// follows: mlir/test/Dialect/Affine/unroll-jam.mlir
func.func @bound_of_the_outer_loop(%n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 6)>(%i) {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %0, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: step_of_three
// follows: mlir/test/Dialect/Affine/unroll.mlir
func.func @step_of_three(%a: memref<?xi32>, %b: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  affine.for %i = 0 to %n step 3 {
    %0 = affine.load %a[%i] : memref<?xi32>
    %1 = arith.index_cast %i : index to i32
    %2 = arith.addi %0, %1 : i32
    affine.store %2, %b[%i] : memref<?xi32>
  }
  return
}

// -----
// program: product_rows_are_jammed
// follows: mlir/test/Dialect/Affine/unroll-jam.mlir
func.func @product_rows_are_jammed(%a: memref<?x?xf32>, %b: memref<?x16xf32>, %c: memref<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %k = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %l = 0 to %k {
      affine.for %j = 0 to 16 {
        %0 = affine.load %a[%i, %l] : memref<?x?xf32>
        %1 = affine.load %b[%l, %j] : memref<?x16xf32>
        %2 = affine.load %c[%i, %j] : memref<?x16xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %c[%i, %j] : memref<?x16xf32>
      }
    }
  }
  return
}

// -----
// program: jam_of_row_sums
// follows: mlir/test/Dialect/Affine/unroll-jam.mlir
func.func @jam_of_row_sums(%m: index, %n: index, %a: memref<?x?xf32>, %s: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %m {
    %sum = affine.for %j = 0 to %n iter_args(%acc = %zero) -> f32 {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      %1 = arith.addf %acc, %0 : f32
      affine.yield %1 : f32
    }
    affine.store %sum, %s[%i] : memref<?xf32>
  }
  return
}

// -----
// program: constant_lower_bound
// follows: mlir/test/Dialect/Affine/unroll.mlir
func.func @constant_lower_bound(%a: memref<40xf32>, %b: memref<40xf32>) {
  affine.for %i = 5 to 38 step 2 {
    %0 = affine.load %a[%i] : memref<40xf32>
    %1 = affine.load %a[%i - 5] : memref<40xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %b[%i + 1] : memref<40xf32>
  }
  return
}

// -----
// program: recurrence
// follows: mlir/test/Dialect/Affine/unroll-jam.mlir
func.func @recurrence(%a: memref<?xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  affine.for %i = 1 to %n {
    %0 = affine.load %a[%i - 1] : memref<?xf32>
    %1 = affine.load %a[%i] : memref<?xf32>
    %2 = arith.mulf %0, %f : f32
    %3 = arith.addf %1, %2 : f32
    affine.store %3, %a[%i] : memref<?xf32>
  }
  return
}

// -----
// program: grid_that_shifts_down
// follows: https://github.com/llvm/llvm-project/issues/198266
func.func @grid_that_shifts_down(%n: index, %g: memref<?x12xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 12 {
      %0 = affine.load %g[%i + 1, %j] : memref<?x12xf32>
      affine.store %0, %g[%i, %j] : memref<?x12xf32>
    }
  }
  return
}

// -----
// program: min_of_two_bounds
// follows: mlir/test/Dialect/Affine/unroll.mlir
// passes: affine-parallelize
// passes: lower-affine
func.func @min_of_two_bounds(%n: index, %a: memref<20xf32>, %b: memref<20xf32>) {
  affine.for %i = 0 to min affine_map<()[s0] -> (s0, 20)>()[%n] {
    %0 = affine.load %a[%i] : memref<20xf32>
    %1 = arith.negf %0 : f32
    affine.store %1, %b[%i] : memref<20xf32>
  }
  return
}
