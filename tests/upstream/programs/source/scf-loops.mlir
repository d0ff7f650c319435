// scf.for loops that are peeled, canonicalised, specialised, and whose ranges are folded.
// passes: scf-for-loop-peeling
// passes: scf-for-loop-peeling{peel-front}
// passes: scf-for-loop-peeling{skip-partial=false},canonicalize
// passes: scf-for-loop-canonicalization
// passes: scf-for-loop-range-folding
// passes: scf-for-loop-specialization
// passes: scf-for-loop-peeling,scf-for-loop-canonicalization,canonicalize,cse
// passes: loop-invariant-code-motion

// -----
// program: steps_of_four_with_a_rest
// follows: mlir/test/Dialect/SCF/for-loop-peeling.mlir
func.func @steps_of_four_with_a_rest(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c4 {
    %last = affine.min affine_map<(d0)[s0] -> (d0 + 4, s0)>(%i)[%n]
    scf.for %j = %i to %last step %c1 {
      %0 = memref.load %a[%j] : memref<?xf32>
      memref.store %0, %b[%j] : memref<?xf32>
    }
  }
  return
}

// -----
// program: steps_of_eight_over_rows
// follows: mlir/test/Dialect/SCF/for-loop-peeling.mlir
func.func @steps_of_eight_over_rows(%a: memref<?x16xf32>, %b: memref<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %n = memref.dim %a, %c0 : memref<?x16xf32>
  scf.for %i = %c0 to %n step %c8 {
    %rows = affine.min affine_map<(d0)[s0] -> (8, s0 - d0)>(%i)[%n]
    scf.for %k = %c0 to %rows step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %r = arith.addi %i, %k : index
        %0 = memref.load %a[%r, %j] : memref<?x16xf32>
        %1 = arith.addf %0, %0 : f32
        memref.store %1, %b[%r, %j] : memref<?x16xf32>
      }
    }
  }
  return
}

// -----
// program: fixed_length_with_a_rest
// follows: mlir/test/Dialect/SCF/for-loop-peeling.mlir
// passes: transform-preload-library{transform-library-paths=SCHEDULES/unroll_and_jam.mlir},transform-interpreter
func.func @fixed_length_with_a_rest(%a: memref<18xi32>, %b: memref<18xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c18 = arith.constant 18 : index
  scf.for %i = %c0 to %c18 step %c4 {
    %len = affine.min affine_map<(d0) -> (4, 18 - d0)>(%i)
    scf.for %j = %c0 to %len step %c1 {
      %k = arith.addi %i, %j : index
      %0 = memref.load %a[%k] : memref<18xi32>
      %1 = arith.muli %0, %0 : i32
      memref.store %1, %b[%k] : memref<18xi32>
    }
  } {jam}
  return
}

// -----
// program: carried_sum_is_peeled
// follows: mlir/test/Dialect/SCF/for-loop-peeling.mlir
func.func @carried_sum_is_peeled(%n: index, %a: memref<?xi32>, %s: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c4 iter_args(%acc = %zero) -> i32 {
    %len = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
    %0 = arith.index_cast %len : index to i32
    %1 = memref.load %a[%i] : memref<?xi32>
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    scf.yield %3 : i32
  }
  memref.store %sum, %s[%c0] : memref<1xi32>
  return
}

// -----
// program: first_iteration_differs
// follows: mlir/test/Dialect/SCF/for-loop-peeling-front.mlir
func.func @first_iteration_differs(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    scf.if %first {
      %0 = memref.load %a[%i] : memref<?xf32>
      memref.store %0, %b[%i] : memref<?xf32>
    } else {
      %p = arith.subi %i, %c1 : index
      %0 = memref.load %a[%i] : memref<?xf32>
      %1 = memref.load %b[%p] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %b[%i] : memref<?xf32>
    }
  }
  return
}

// -----
// program: min_inside_the_loop
// follows: mlir/test/Dialect/SCF/for-loop-canonicalization.mlir
func.func @min_inside_the_loop(%a: memref<64xf32>, %b: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c4 {
    %len = affine.min affine_map<(d0) -> (4, 64 - d0)>(%i)
    scf.for %j = %c0 to %len step %c1 {
      %k = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
      %0 = memref.load %a[%k] : memref<64xf32>
      memref.store %0, %b[%k] : memref<64xf32>
    }
  }
  return
}

// -----
// program: max_inside_the_loop
// follows: mlir/test/Dialect/SCF/for-loop-canonicalization.mlir
func.func @max_inside_the_loop(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c2 to %n step %c1 {
    %k = affine.max affine_map<(d0) -> (d0 - 1, 1)>(%i)
    %0 = memref.load %a[%k] : memref<?xf32>
    memref.store %0, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: size_of_the_buffer_in_the_loop
// follows: mlir/test/Dialect/SCF/for-loop-canonicalization.mlir
func.func @size_of_the_buffer_in_the_loop(%a: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?x?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.dim %a, %c1 : memref<?x?xf32>
    scf.for %j = %c0 to %m step %c1 {
      %0 = memref.load %a[%i, %j] : memref<?x?xf32>
      %1 = arith.negf %0 : f32
      memref.store %1, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: offset_is_folded_into_the_range
// follows: mlir/test/Dialect/SCF/loop-range.mlir
func.func @offset_is_folded_into_the_range(%n: index, %o: index, %a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.addi %i, %o : index
    %0 = memref.load %a[%k] : memref<?xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %a[%k] : memref<?xf32>
  }
  return
}

// -----
// program: scale_is_folded_into_the_range
// follows: mlir/test/Dialect/SCF/loop-range.mlir
func.func @scale_is_folded_into_the_range(%n: index, %a: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.muli %i, %c3 : index
    %0 = memref.load %a[%k] : memref<?xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %a[%k] : memref<?xf32>
  }
  return
}

// -----
// program: bound_of_a_tile_is_specialised
// follows: mlir/test/Dialect/SCF/for-loop-specialization.mlir
func.func @bound_of_a_tile_is_specialised(%n: index, %o: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %len = affine.min affine_map<()[s0, s1] -> (16, s0 - s1)>()[%n, %o]
  scf.for %i = %c0 to %len step %c1 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = memref.load %b[%i] : memref<?xf32>
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: product_with_carried_sum
// follows: mlir/test/Dialect/SCF/loop-unroll.mlir
// passes: transform-preload-library{transform-library-paths=SCHEDULES/unroll.mlir},transform-interpreter
func.func @product_with_carried_sum(%a: memref<?x?xf32>, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    %sum = scf.for %j = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
      %0 = memref.load %a[%i, %j] : memref<?x?xf32>
      %1 = memref.load %x[%j] : memref<?xf32>
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %acc, %2 : f32
      scf.yield %3 : f32
    } {unroll}
    memref.store %sum, %y[%i] : memref<?xf32>
  }
  return
}

// -----
// program: unrolled_copy
// follows: mlir/test/Dialect/SCF/loop-unroll-scf.mlir
// passes: transform-preload-library{transform-library-paths=SCHEDULES/unroll.mlir},transform-interpreter
func.func @unrolled_copy(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %b[%i] : memref<?xf32>
  } {unroll}
  return
}

// -----
// program: jammed_rows
// follows: mlir/test/Dialect/SCF/loop-unroll-jam-scf.mlir
// passes: transform-preload-library{transform-library-paths=SCHEDULES/unroll_and_jam.mlir},transform-interpreter
func.func @jammed_rows(%m: index, %n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %0 = memref.load %a[%i, %j] : memref<?x?xf32>
      %1 = arith.mulf %0, %0 : f32
      memref.store %1, %b[%i, %j] : memref<?x?xf32>
    }
  } {jam}
  return
}

// -----
// program: two_copies_in_turn
// follows: mlir/test/Dialect/SCF/loop-pipelining.mlir
// passes: transform-preload-library{transform-library-paths=SCHEDULES/pipeline.mlir},transform-interpreter
func.func @two_copies_in_turn(%a: memref<12xf32>, %b: memref<12xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c12 = arith.constant 12 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c12 step %c1 {
    %0 = memref.load %a[%i] : memref<12xf32>
    %1 = arith.addf %0, %one : f32
    memref.store %1, %b[%i] : memref<12xf32>
  } {pipeline}
  return
}

// -----
// program: sum_of_products_in_turn
// follows: mlir/test/Dialect/SCF/loop-pipelining.mlir
// passes: transform-preload-library{transform-library-paths=SCHEDULES/pipeline.mlir},transform-interpreter
func.func @sum_of_products_in_turn(%n: index, %a: memref<?xf32>, %s: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> f32 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %acc, %1 : f32
    scf.yield %2 : f32
  } {pipeline}
  memref.store %sum, %s[%c0] : memref<1xf32>
  return
}

// -----
// program: nest_that_is_coalesced
// follows: mlir/test/Dialect/SCF/transform-op-coalesce.mlir
// passes: transform-preload-library{transform-library-paths=SCHEDULES/coalesce.mlir},transform-interpreter
func.func @nest_that_is_coalesced(%n: index, %a: memref<?x12xf32>, %b: memref<?x12xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c12 = arith.constant 12 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %c12 step %c3 {
      %0 = memref.load %a[%i, %j] : memref<?x12xf32>
      memref.store %0, %b[%i, %j] : memref<?x12xf32>
    }
  } {coalesce}
  return
}

// -----
// program: division_is_hoisted
// follows: mlir/test/Transforms/loop-invariant-code-motion.mlir
func.func @division_is_hoisted(%n: index, %x: i32, %a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %hundred = arith.constant 100 : i32
  %seven = arith.constant 7 : i32
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.divsi %x, %seven : i32
    %1 = arith.addi %0, %hundred : i32
    memref.store %1, %a[%i] : memref<?xi32>
  }
  return
}

// -----
// program: division_by_an_argument_stays
// follows: mlir/test/Transforms/loop-invariant-code-motion.mlir
func.func @division_by_an_argument_stays(%n: index, %x: i32, %y: i32, %a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.divsi %x, %y : i32
    %1 = arith.muli %x, %y : i32
    %2 = arith.addi %0, %1 : i32
    memref.store %2, %a[%i] : memref<?xi32>
  }
  return
}

// -----
// program: quotient_below_a_condition
// follows: mlir/test/Transforms/loop-invariant-code-motion.mlir
func.func @quotient_below_a_condition(%n: index, %x: i32, %y: i32, %a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %nonzero = arith.cmpi ne, %y, %zero : i32
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.muli %x, %x : i32
    memref.store %0, %a[%i] : memref<?xi32>
    scf.if %nonzero {
      %1 = arith.divsi %x, %y : i32
      memref.store %1, %a[%i] : memref<?xi32>
    }
  }
  return
}

// -----
// program: remainder_in_the_inner_loop
// follows: mlir/test/Transforms/loop-invariant-code-motion.mlir
func.func @remainder_in_the_inner_loop(%m: index, %n: index, %y: memref<?xi32>, %a: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %hundred = arith.constant 100 : i32
  scf.for %i = %c0 to %m step %c1 {
    %d = memref.load %y[%i] : memref<?xi32>
    scf.for %j = %c0 to %n step %c1 {
      %0 = arith.remui %hundred, %d : i32
      %1 = arith.addi %d, %hundred : i32
      %2 = arith.addi %0, %1 : i32
      memref.store %2, %a[%i, %j] : memref<?x?xi32>
    }
  }
  return
}
