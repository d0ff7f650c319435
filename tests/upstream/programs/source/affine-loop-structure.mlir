// Loops that are coalesced, normalised and simplified.
// passes: affine-loop-coalescing
// passes: affine-loop-normalize
// passes: affine-loop-normalize{promote-single-iter}
// passes: affine-simplify-structures
// passes: canonicalize
// passes: affine-simplify-min-max
// passes: lower-affine
// passes: affine-loop-normalize,affine-loop-coalescing,canonicalize

// -----
// program: two_loops_become_one
// follows: mlir/test/Dialect/Affine/loop-coalescing.mlir
func.func @two_loops_become_one(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      affine.store %0, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: three_loops_of_fixed_length
// follows: mlir/test/Dialect/Affine/loop-coalescing.mlir
func.func @three_loops_of_fixed_length(%a: memref<6x5x4xf32>, %b: memref<4x5x6xf32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 5 {
      affine.for %k = 0 to 4 {
        %0 = affine.load %a[%i, %j, %k] : memref<6x5x4xf32>
        affine.store %0, %b[%k, %j, %i] : memref<4x5x6xf32>
      }
    }
  }
  return
}

// -----
// program: inner_loop_of_fixed_length
// follows: mlir/test/Dialect/Affine/loop-coalescing.mlir
func.func @inner_loop_of_fixed_length(%n: index, %a: memref<?x6xf32>, %b: memref<?x6xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 6 {
      %0 = affine.load %a[%i, %j] : memref<?x6xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %b[%i, %j] : memref<?x6xf32>
    }
  }
  return
}

// -----
// program: lower_bounds_and_steps
// follows: mlir/test/Dialect/Affine/affine-loop-normalize.mlir
func.func @lower_bounds_and_steps(%n: index, %a: memref<?x40xf32>, %b: memref<?x40xf32>) {
  affine.for %i = 2 to %n step 3 {
    affine.for %j = 4 to 38 step 5 {
      %0 = affine.load %a[%i, %j] : memref<?x40xf32>
      affine.store %0, %b[%i - 2, %j - 4] : memref<?x40xf32>
    }
  }
  return
}

// -----
// program: bounds_from_maps
// follows: mlir/test/Dialect/Affine/affine-loop-normalize.mlir
func.func @bounds_from_maps(%n: index, %m: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = max affine_map<()[s0] -> (s0 - 3, 0)>()[%m] to min affine_map<()[s0] -> (s0, 100)>()[%n] {
    %0 = affine.load %a[%i] : memref<?xf32>
    affine.store %0, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: single_iteration
// follows: mlir/test/Dialect/Affine/affine-loop-normalize.mlir
func.func @single_iteration(%n: index, %a: memref<?x8xf32>, %b: memref<?x8xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 3 to 4 {
      %0 = affine.load %a[%i, %j] : memref<?x8xf32>
      affine.store %0, %b[%i, %j + 1] : memref<?x8xf32>
    }
  }
  return
}

// -----
// program: parallel_with_steps
// follows: mlir/test/Dialect/Affine/affine-loop-normalize.mlir
func.func @parallel_with_steps(%n: index, %a: memref<?x60xf32>, %b: memref<?x60xf32>) {
  affine.parallel (%i, %j) = (1, 10) to (symbol(%n), 58) step (2, 12) {
    %0 = affine.load %a[%i, %j] : memref<?x60xf32>
    %1 = arith.negf %0 : f32
    affine.store %1, %b[%i, %j] : memref<?x60xf32>
  }
  return
}

// -----
// program: composed_applies
// follows: mlir/test/Dialect/Affine/canonicalize.mlir
func.func @composed_applies(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %0 = affine.apply affine_map<(d0) -> (d0 * 4)>(%i)
    %1 = affine.apply affine_map<(d0) -> (d0 + 3)>(%0)
    %2 = affine.apply affine_map<(d0) -> (d0 floordiv 2)>(%1)
    %3 = memref.load %a[%2] : memref<?xf32>
    memref.store %3, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: min_and_max_of_applies
// follows: mlir/test/Dialect/Affine/simplify-min-max-ops.mlir
func.func @min_and_max_of_applies(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %0 = affine.min affine_map<(d0)[s0] -> (d0 + 1, s0 - 1)>(%i)[%n]
    %1 = affine.max affine_map<(d0)[s0] -> (d0, s0 - 1, 0)>(%0)[%n]
    %2 = memref.load %a[%0] : memref<?xf32>
    %3 = memref.load %a[%1] : memref<?xf32>
    %4 = arith.subf %2, %3 : f32
    affine.store %4, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: condition_that_always_holds
// follows: mlir/test/Dialect/Affine/simplify-structures.mlir
func.func @condition_that_always_holds(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.if affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0)>(%i)[%n] {
      %0 = affine.load %a[%i] : memref<?xf32>
      affine.store %0, %b[%i] : memref<?xf32>
    } else {
      %0 = affine.load %b[0] : memref<?xf32>
      affine.store %0, %a[0] : memref<?xf32>
    }
  }
  return
}

// -----
// program: condition_of_two_sides
// follows: mlir/test/Dialect/Affine/canonicalize.mlir
func.func @condition_of_two_sides(%n: index, %a: memref<?xi32>, %b: memref<?xi32>) {
  %one = arith.constant 1 : i32
  affine.for %i = 0 to %n {
    %r = affine.if affine_set<(d0) : (d0 mod 2 - 1 == 0)>(%i) -> i32 {
      %0 = affine.load %a[%i] : memref<?xi32>
      affine.yield %0 : i32
    } else {
      affine.yield %one : i32
    }
    affine.store %r, %b[%i] : memref<?xi32>
  }
  return
}

// -----
// program: divisions_in_subscripts
// follows: mlir/test/Dialect/Affine/affine-expand-index-ops.mlir
func.func @divisions_in_subscripts(%n: index, %a: memref<?x4xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i floordiv 4, %i mod 4] : memref<?x4xf32>
    affine.store %0, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: rounded_up_bound
// follows: mlir/test/Dialect/Affine/affine-loop-normalize.mlir
func.func @rounded_up_bound(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to affine_map<()[s0] -> (s0 ceildiv 4)>()[%n] {
    affine.for %j = 0 to min affine_map<(d0)[s0] -> (4, s0 - d0 * 4)>(%i)[%n] {
      %0 = affine.load %a[%i * 4 + %j] : memref<?xf32>
      affine.store %0, %b[%i * 4 + %j] : memref<?xf32>
    }
  }
  return
}

// -----
// program: empty_loop_is_dropped
// follows: mlir/test/Dialect/Affine/canonicalize.mlir
func.func @empty_loop_is_dropped(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    affine.for %j = 5 to 5 {
      affine.store %zero, %a[%j] : memref<?xf32>
    }
    %v = affine.load %a[%i] : memref<?xf32>
    affine.for %j = 0 to 9 {
    }
    affine.store %v, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: carried_value_that_is_passed_on
// follows: mlir/test/Dialect/Affine/canonicalize.mlir
func.func @carried_value_that_is_passed_on(%n: index, %a: memref<?xf32>, %s: memref<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %r:2 = affine.for %i = 0 to %n iter_args(%x = %zero, %y = %two) -> (f32, f32) {
    %0 = affine.load %a[%i] : memref<?xf32>
    %1 = arith.mulf %0, %y : f32
    %2 = arith.addf %x, %1 : f32
    affine.yield %2, %y : f32, f32
  }
  affine.store %r#0, %s[0] : memref<2xf32>
  affine.store %r#1, %s[1] : memref<2xf32>
  return
}

// -----
// program: linear_index_is_split
// follows: mlir/test/Dialect/Affine/affine-expand-index-ops-as-affine.mlir
// passes: affine-expand-index-ops
// passes: affine-expand-index-ops-as-affine
func.func @linear_index_is_split(%n: index, %a: memref<?x3x5xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to affine_map<()[s0] -> (s0 * 15)>()[%n] {
    %k:3 = affine.delinearize_index %i into (%n, 3, 5) : index, index, index
    %0 = memref.load %a[%k#0, %k#1, %k#2] : memref<?x3x5xf32>
    affine.store %0, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: linear_index_is_built
// follows: mlir/test/Dialect/Affine/affine-expand-index-ops-as-affine.mlir
// passes: affine-expand-index-ops
// passes: affine-expand-index-ops-as-affine
func.func @linear_index_is_built(%n: index, %a: memref<?x3x5xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 5 {
        %0 = affine.load %a[%i, %j, %k] : memref<?x3x5xf32>
        %l = affine.linearize_index [%i, %j, %k] by (%n, 3, 5) : index
        memref.store %0, %b[%l] : memref<?xf32>
      }
    }
  }
  return
}
