// General passes: canonicalisation, common subexpressions, constants, invariant code, inlining.
// passes: canonicalize
// passes: cse
// passes: sccp
// passes: loop-invariant-code-motion
// passes: inline
// passes: canonicalize,cse,loop-invariant-code-motion
// passes: lower-affine
// passes: arith-expand
// passes: affine-raise-from-memref
// passes: math-expand-ops

// -----
// program: call_in_a_loop
// follows: mlir/test/Transforms/inlining.mlir
func.func private @square(%x: f32) -> f32 {
  %0 = arith.mulf %x, %x : f32
  return %0 : f32
}
func.func @call_in_a_loop(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xf32>
    %1 = func.call @square(%0) : (f32) -> f32
    affine.store %1, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: call_on_buffers
// follows: mlir/test/Dialect/Affine/inlining.mlir
func.func private @negate(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %0 = affine.load %x[%i] : memref<?xf32>
    %1 = arith.negf %0 : f32
    affine.store %1, %y[%i] : memref<?xf32>
  }
  return
}
func.func @call_on_buffers(%a: memref<?xf32>, %b: memref<?xf32>) {
  call @negate(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  call @negate(%b, %a) : (memref<?xf32>, memref<?xf32>) -> ()
  return
}

// -----
// program: invariant_product
// follows: mlir/test/Transforms/loop-invariant-code-motion.mlir
func.func @invariant_product(%n: index, %x: f32, %y: f32, %a: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %0 = arith.mulf %x, %y : f32
    %1 = affine.load %a[%i] : memref<?xf32>
    %2 = arith.addf %1, %0 : f32
    affine.store %2, %a[%i] : memref<?xf32>
  }
  return
}

// -----
// program: invariant_of_two_loops
// follows: mlir/test/Transforms/loop-invariant-code-motion.mlir
func.func @invariant_of_two_loops(%n: index, %m: index, %x: i32, %a: memref<?x?xi32>) {
  %three = arith.constant 3 : i32
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %m {
      %0 = arith.muli %x, %three : i32
      %1 = arith.index_cast %i : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %a[%i, %j] : memref<?x?xi32>
    }
  }
  return
}

// -----
// program: rounding_divisions
// follows: mlir/test/Dialect/Arith/expand-ops.mlir
func.func @rounding_divisions(%n: index, %a: memref<?xi32>, %b: memref<?xi32>) {
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xi32>
    %1 = arith.floordivsi %0, %seven : i32
    %2 = arith.ceildivsi %0, %seven : i32
    %3 = arith.addi %1, %2 : i32
    affine.store %3, %b[%i] : memref<?xi32>
  }
  return
}

// -----
// program: smallest_and_largest
// follows: mlir/test/Dialect/Arith/expand-ops.mlir
func.func @smallest_and_largest(%n: index, %a: memref<?xi32>, %b: memref<?xi32>) {
  %low = arith.constant -5 : i32
  %high = arith.constant 5 : i32
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xi32>
    %1 = arith.maxsi %0, %low : i32
    %2 = arith.minsi %1, %high : i32
    affine.store %2, %b[%i] : memref<?xi32>
  }
  return
}

// -----
// program: casts_there_and_back
// follows: mlir/test/Dialect/Arith/canonicalize.mlir
func.func @casts_there_and_back(%n: index, %a: memref<?xi32>, %b: memref<?xi32>) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xi32>
    %1 = arith.extsi %0 : i32 to i64
    %2 = arith.trunci %1 : i64 to i32
    %3 = arith.index_cast %2 : i32 to index
    %4 = arith.index_cast %3 : index to i32
    affine.store %4, %b[%i] : memref<?xi32>
  }
  return
}

// -----
// program: comparisons_fold
// follows: mlir/test/Dialect/Arith/canonicalize.mlir
func.func @comparisons_fold(%n: index, %a: memref<?xi32>, %b: memref<?xi32>) {
  %true = arith.constant true
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xi32>
    %1 = affine.load %b[%i] : memref<?xi32>
    %2 = arith.cmpi slt, %0, %1 : i32
    %3 = arith.xori %2, %true : i1
    %4 = arith.select %3, %0, %1 : i32
    affine.store %4, %b[%i] : memref<?xi32>
  }
  return
}

// -----
// program: floats_are_not_reordered
// follows: mlir/test/Transforms/canonicalize.mlir
func.func @floats_are_not_reordered(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xf32>
    %1 = arith.mulf %0, %one : f32
    %2 = arith.addf %1, %zero : f32
    %3 = arith.negf %2 : f32
    %4 = arith.negf %3 : f32
    affine.store %4, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: constants_of_a_fixed_loop
// follows: mlir/test/Transforms/constant-fold.mlir
func.func @constants_of_a_fixed_loop(%a: memref<10xi32>) {
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  affine.for %i = 0 to 10 {
    %0 = arith.muli %two, %three : i32
    %1 = arith.shli %0, %two : i32
    %2 = affine.load %a[%i] : memref<10xi32>
    %3 = arith.addi %2, %1 : i32
    affine.store %3, %a[%i] : memref<10xi32>
  }
  return
}

// -----
// program: raised_accesses
// follows: mlir/test/Dialect/Affine/raise-memref.mlir
func.func @raised_accesses(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to %n {
    %k = arith.addi %i, %c1 : index
    %0 = memref.load %a[%k] : memref<?xf32>
    memref.store %0, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: signs_of_fixed_ranges
// follows: mlir/test/Dialect/Arith/unsigned-when-equivalent.mlir
// passes: arith-unsigned-when-equivalent
func.func @signs_of_fixed_ranges(%a: memref<12x4xf32>, %b: memref<48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c48 = arith.constant 48 : index
  scf.for %i = %c0 to %c48 step %c1 {
    %q = arith.divsi %i, %c4 : index
    %r = arith.remsi %i, %c4 : index
    %0 = memref.load %a[%q, %r] : memref<12x4xf32>
    memref.store %0, %b[%i] : memref<48xf32>
  }
  return
}

// -----
// program: common_subscripts
// follows: mlir/test/Transforms/cse.mlir
func.func @common_subscripts(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %k = affine.apply affine_map<(d0) -> (d0 * 3 + 1)>(%i)
    %l = affine.apply affine_map<(d0) -> (d0 * 3 + 1)>(%i)
    %0 = affine.load %a[%k] : memref<?xf32>
    %1 = affine.load %b[%l] : memref<?xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %b[%l] : memref<?xf32>
  }
  return
}

// -----
// program: fused_multiply_add
// follows: mlir/test/Dialect/Math/expand-math.mlir
func.func @fused_multiply_add(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xf32>
    %1 = affine.load %b[%i] : memref<?xf32>
    %2 = math.fma %0, %1, %0 : f32
    affine.store %2, %b[%i] : memref<?xf32>
  }
  return
}
