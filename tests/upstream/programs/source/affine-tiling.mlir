// Loop nests that are tiled.
// passes: affine-loop-tile{tile-size=8}
// passes: affine-loop-tile{tile-sizes=4,8,3}
// passes: affine-loop-tile{tile-size=5 separate}
// passes: affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
// passes: affine-loop-tile{tile-size=4},canonicalize

// -----
// program: rows_and_columns
// follows: mlir/test/Dialect/Affine/loop-tiling.mlir
func.func @rows_and_columns(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: product_of_open_sizes
// follows: mlir/test/Dialect/Affine/loop-tiling.mlir
func.func @product_of_open_sizes(%m: index, %n: index, %k: index, %a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>) {
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.for %l = 0 to %k {
        %0 = affine.load %a[%i, %l] : memref<?x?xf64>
        %1 = affine.load %b[%l, %j] : memref<?x?xf64>
        %2 = affine.load %c[%i, %j] : memref<?x?xf64>
        %3 = arith.mulf %0, %1 : f64
        %4 = arith.addf %2, %3 : f64
        affine.store %4, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// -----
// program: product_of_fixed_sizes
// follows: mlir/test/Dialect/Affine/loop-tiling.mlir
func.func @product_of_fixed_sizes(%a: memref<12x9xf32>, %b: memref<9x10xf32>, %c: memref<12x10xf32>) {
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 10 {
      affine.for %l = 0 to 9 {
        %0 = affine.load %a[%i, %l] : memref<12x9xf32>
        %1 = affine.load %b[%l, %j] : memref<9x10xf32>
        %2 = affine.load %c[%i, %j] : memref<12x10xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %c[%i, %j] : memref<12x10xf32>
      }
    }
  }
  return
}

// -----
// program: one_loop_with_two_upper_bounds
// follows: mlir/test/Dialect/Affine/loop-tiling.mlir
func.func @one_loop_with_two_upper_bounds(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %m = memref.dim %b, %c0 : memref<?xf32>
  affine.for %i = 0 to min affine_map<()[s0, s1] -> (s0, s1)>()[%n, %m] {
    %0 = affine.load %a[%i] : memref<?xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: lower_bound_of_three
// follows: mlir/test/Dialect/Affine/loop-tiling.mlir
func.func @lower_bound_of_three(%n: index, %a: memref<?xi32>, %b: memref<?xi32>) {
  affine.for %i = 3 to %n {
    %0 = affine.load %a[%i - 3] : memref<?xi32>
    %1 = affine.load %b[%i] : memref<?xi32>
    %2 = arith.muli %0, %1 : i32
    affine.store %2, %b[%i] : memref<?xi32>
  }
  return
}

// -----
// program: step_of_two
// follows: mlir/test/Dialect/Affine/loop-tiling.mlir
func.func @step_of_two(%a: memref<?x50xf32>, %b: memref<?x50xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x50xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 50 step 2 {
      %0 = affine.load %a[%i, %j] : memref<?x50xf32>
      affine.store %0, %b[%i, %j + 1] : memref<?x50xf32>
    }
  }
  return
}

// -----
// program: anti_dependence_to_the_right
// follows: mlir/test/Dialect/Affine/loop-tile-anti-dep.mlir
func.func @anti_dependence_to_the_right(%n: index, %a: memref<?x?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<()[s0] -> (s0 - 1)>()[%n] {
      %0 = affine.load %a[%i, %j + 1] : memref<?x?xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: sum_carried_by_memory
// follows: mlir/test/Dialect/Affine/loop-tiling-validity.mlir
func.func @sum_carried_by_memory(%a: memref<?x24xf32>, %s: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x24xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 24 {
      %0 = affine.load %a[%i, %j] : memref<?x24xf32>
      %1 = affine.load %s[0] : memref<1xf32>
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %s[0] : memref<1xf32>
    }
  }
  return
}

// -----
// program: four_deep
// follows: mlir/test/Dialect/Affine/loop-tiling.mlir
func.func @four_deep(%x: memref<?x10x10xf32>, %w: memref<3x3xf32>, %y: memref<?x8x8xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?x10x10xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 8 {
      affine.for %p = 0 to 3 {
        affine.for %q = 0 to 3 {
          %0 = affine.load %x[%i, %j + %p, %q] : memref<?x10x10xf32>
          %1 = affine.load %w[%p, %q] : memref<3x3xf32>
          %2 = affine.load %y[%i, %j, 0] : memref<?x8x8xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %y[%i, %j, 0] : memref<?x8x8xf32>
        }
      }
    }
  }
  return
}

// -----
// program: triangle
// follows: mlir/test/Dialect/Affine/loop-tiling.mlir
// passes: affine-parallelize
// passes: lower-affine
func.func @triangle(%n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0 + 1)>(%i) {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %0, %b[%j, %i] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: guarded_border
// follows: mlir/test/Dialect/Affine/loop-tiling.mlir
func.func @guarded_border(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %b, %c0 : memref<?x?xf32>
  %n = memref.dim %b, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      affine.store %zero, %b[%i, %j] : memref<?x?xf32>
      affine.if affine_set<(d0, d1)[s0, s1] : (d0 - 1 >= 0, s0 - d0 - 2 >= 0, d1 - 1 >= 0, s1 - d1 - 2 >= 0)>(%i, %j)[%m, %n] {
        %0 = affine.load %a[%i - 1, %j - 1] : memref<?x?xf32>
        affine.store %0, %b[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}
