// Loops that run in parallel, and loop-invariant code and conditions.
// passes: affine-parallelize
// passes: affine-parallelize{parallel-reductions}
// passes: affine-parallelize{max-nested=1}
// passes: affine-loop-invariant-code-motion
// passes: affine-parallelize,lower-affine
// passes: affine-loop-tile{tile-size=4},affine-parallelize

// -----
// program: pointwise
// follows: mlir/test/Dialect/Affine/parallelize.mlir
func.func @pointwise(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      %1 = arith.mulf %0, %two : f32
      affine.store %1, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: product
// follows: mlir/test/Dialect/Affine/parallelize.mlir
func.func @product(%m: index, %n: index, %k: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        %0 = affine.load %a[%i, %l] : memref<?x?xf32>
        %1 = affine.load %b[%l, %j] : memref<?x?xf32>
        %2 = affine.load %c[%i, %j] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----
// program: sum_of_integers
// follows: mlir/test/Dialect/Affine/parallelize.mlir
func.func @sum_of_integers(%a: memref<?xi32>, %s: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %a, %c0 : memref<?xi32>
  %sum = affine.for %i = 0 to %n iter_args(%acc = %zero) -> i32 {
    %0 = affine.load %a[%i] : memref<?xi32>
    %1 = arith.addi %acc, %0 : i32
    affine.yield %1 : i32
  }
  affine.store %sum, %s[0] : memref<1xi32>
  return
}

// -----
// program: largest_of_each_row
// follows: mlir/test/Dialect/Affine/parallelize.mlir
func.func @largest_of_each_row(%m: index, %n: index, %a: memref<?x?xi32>, %s: memref<?xi32>) {
  %least = arith.constant -2147483648 : i32
  affine.for %i = 0 to %m {
    %most = affine.for %j = 0 to %n iter_args(%acc = %least) -> i32 {
      %0 = affine.load %a[%i, %j] : memref<?x?xi32>
      %1 = arith.maxsi %acc, %0 : i32
      affine.yield %1 : i32
    }
    affine.store %most, %s[%i] : memref<?xi32>
  }
  return
}

// -----
// program: two_nests_share_an_array
// follows: mlir/test/Dialect/Affine/parallelize.mlir
func.func @two_nests_share_an_array(%n: index, %a: memref<?xf32>, %t: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xf32>
    affine.store %0, %t[%i + 1] : memref<?xf32>
  }
  affine.for %i = 0 to %n {
    %0 = affine.load %t[%i] : memref<?xf32>
    affine.store %0, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: dependence_in_the_outer_loop
// follows: mlir/test/Dialect/Affine/parallelize.mlir
func.func @dependence_in_the_outer_loop(%n: index, %m: index, %a: memref<?x?xf32>) {
  affine.for %i = 1 to %n {
    affine.for %j = 0 to %m {
      %0 = affine.load %a[%i - 1, %j] : memref<?x?xf32>
      %1 = affine.load %a[%i, %j] : memref<?x?xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: dependence_of_distance_four
// follows: mlir/test/Dialect/Affine/memref-dependence-check.mlir
func.func @dependence_of_distance_four(%a: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x4xf32>
  affine.for %i = 1 to %n {
    affine.for %j = 0 to 4 {
      %0 = affine.load %a[%i - 1, 3 - %j] : memref<?x4xf32>
      affine.store %0, %a[%i, %j] : memref<?x4xf32>
    }
  }
  return
}

// -----
// program: private_buffer
// follows: mlir/test/Dialect/Affine/parallelize.mlir
func.func @private_buffer(%n: index, %a: memref<?x8xf32>, %b: memref<?x8xf32>) {
  affine.for %i = 0 to %n {
    %t = memref.alloc() : memref<8xf32>
    affine.for %j = 0 to 8 {
      %0 = affine.load %a[%i, %j] : memref<?x8xf32>
      affine.store %0, %t[7 - %j] : memref<8xf32>
    }
    affine.for %j = 0 to 8 {
      %0 = affine.load %t[%j] : memref<8xf32>
      affine.store %0, %b[%i, %j] : memref<?x8xf32>
    }
    memref.dealloc %t : memref<8xf32>
  }
  return
}

// -----
// program: invariant_load
// follows: mlir/test/Dialect/Affine/affine-loop-invariant-code-motion.mlir
func.func @invariant_load(%n: index, %m: index, %a: memref<?xf32>, %b: memref<?x?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %0 = affine.load %a[%i] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: invariant_store
// follows: mlir/test/Dialect/Affine/affine-loop-invariant-code-motion.mlir
func.func @invariant_store(%a: memref<10xf32>, %b: memref<1xf32>) {
  %seven = arith.constant 7.0 : f32
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 10 {
      %0 = arith.addf %seven, %seven : f32
      affine.store %0, %a[%i] : memref<10xf32>
    }
    %1 = affine.load %a[0] : memref<10xf32>
    affine.store %1, %b[0] : memref<1xf32>
  }
  return
}

// -----
// program: store_that_varies_stays
// follows: mlir/test/Dialect/Affine/affine-loop-invariant-code-motion.mlir
func.func @store_that_varies_stays(%n: index, %a: memref<?xf32>, %b: memref<1xf32>) {
  affine.for %i = 0 to %n {
    %0 = affine.load %b[0] : memref<1xf32>
    %1 = affine.load %a[%i] : memref<?xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %b[0] : memref<1xf32>
    %3 = arith.constant 3.0 : f32
    affine.store %3, %a[%i] : memref<?xf32>
  }
  return
}

// -----
// program: invariant_condition
// follows: mlir/test/Dialect/Affine/affine-loop-invariant-code-motion.mlir
func.func @invariant_condition(%n: index, %m: index, %a: memref<?x?xf32>) {
  %one = arith.constant 1.0 : f32
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%i) {
        %0 = arith.addf %one, %one : f32
        affine.store %0, %a[%i, 0] : memref<?x?xf32>
      }
    }
  }
  return
}

// -----
// program: parallel_of_two_dimensions
// follows: mlir/test/Dialect/Affine/ops.mlir
func.func @parallel_of_two_dimensions(%n: index, %m: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  affine.parallel (%i, %j) = (0, 0) to (symbol(%n), symbol(%m)) {
    %0 = affine.load %a[%j, %i] : memref<?x?xf32>
    affine.store %0, %b[%i, %j] : memref<?x?xf32>
  }
  return
}
