// Parallel loops: fusion, tiling, collapsing, specialisation, serialisation; scf.forall.
// passes: scf-parallel-loop-fusion
// passes: scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
// passes: scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
// passes: test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
// passes: scf-parallel-loop-specialization
// passes: scf-parallel-for-to-nested-fors
// passes: scf-forall-to-for
// passes: scf-forall-to-parallel
// passes: canonicalize
// passes: scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse

// -----
// program: two_pointwise_loops
// follows: mlir/test/Dialect/SCF/parallel-loop-fusion.mlir
func.func @two_pointwise_loops(%a: memref<?xf32>, %t: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %t[%i] : memref<?xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %t[%i] : memref<?xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %b[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

// -----
// program: matrices_in_two_loops
// follows: mlir/test/Dialect/SCF/parallel-loop-fusion.mlir
func.func @matrices_in_two_loops(%m: index, %n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc(%m, %n) : memref<?x?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %0 = memref.load %a[%i, %j] : memref<?x?xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %t[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %0 = memref.load %t[%i, %j] : memref<?x?xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %b[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  memref.dealloc %t : memref<?x?xf32>
  return
}

// -----
// program: shifted_read_is_not_fused
// follows: mlir/test/Dialect/SCF/parallel-loop-fusion.mlir
func.func @shifted_read_is_not_fused(%n: index, %a: memref<?xf32>, %t: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %0 = memref.load %a[%i] : memref<?xf32>
    memref.store %0, %t[%i] : memref<?xf32>
    scf.reduce
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %k = arith.addi %i, %c1 : index
    %0 = memref.load %t[%k] : memref<?xf32>
    memref.store %0, %b[%i] : memref<?xf32>
    scf.reduce
  }
  return
}

// -----
// program: fixed_sizes_in_two_loops
// follows: mlir/test/Dialect/SCF/parallel-loop-fusion.mlir
func.func @fixed_sizes_in_two_loops(%a: memref<6x10xf32>, %b: memref<6x10xf32>, %c: memref<6x10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c6, %c10) step (%c1, %c1) {
    %0 = memref.load %a[%i, %j] : memref<6x10xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %b[%i, %j] : memref<6x10xf32>
    scf.reduce
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c6, %c10) step (%c1, %c1) {
    %0 = memref.load %b[%i, %j] : memref<6x10xf32>
    %1 = memref.load %a[%i, %j] : memref<6x10xf32>
    %2 = arith.subf %0, %1 : f32
    memref.store %2, %c[%i, %j] : memref<6x10xf32>
    scf.reduce
  }
  return
}

// -----
// program: two_dimensions_are_tiled
// follows: mlir/test/Dialect/SCF/parallel-loop-tiling.mlir
func.func @two_dimensions_are_tiled(%m: index, %n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) {
    %0 = memref.load %a[%i, %j] : memref<?x?xf32>
    memref.store %0, %b[%j, %i] : memref<?x?xf32>
    scf.reduce
  }
  return
}

// -----
// program: bounds_and_steps_are_tiled
// follows: mlir/test/Dialect/SCF/parallel-loop-tiling.mlir
func.func @bounds_and_steps_are_tiled(%m: index, %n: index, %a: memref<?x?xf32>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i, %j) = (%c2, %c3) to (%m, %n) step (%c2, %c3) {
    memref.store %one, %a[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  return
}

// -----
// program: fixed_bounds_are_tiled
// follows: mlir/test/Dialect/SCF/parallel-loop-tiling.mlir
func.func @fixed_bounds_are_tiled(%a: memref<22x24xf32>, %b: memref<22x24xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c22 = arith.constant 22 : index
  %c24 = arith.constant 24 : index
  scf.parallel (%i, %j) = (%c1, %c0) to (%c22, %c24) step (%c3, %c1) {
    %0 = memref.load %a[%i, %j] : memref<22x24xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %b[%i, %j] : memref<22x24xf32>
    scf.reduce
  }
  return
}

// -----
// program: collapsed_rectangle
// follows: mlir/test/Transforms/parallel-loop-collapsing.mlir
func.func @collapsed_rectangle(%n: index, %a: memref<?x14xf32>, %b: memref<?x14xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c14 = arith.constant 14 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c14) step (%c1, %c2) {
    %0 = memref.load %a[%i, %j] : memref<?x14xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %b[%i, %j] : memref<?x14xf32>
    scf.reduce
  }
  return
}

// -----
// program: collapsed_rectangle_of_fixed_size
// follows: mlir/test/Transforms/single-parallel-loop-collapsing.mlir
func.func @collapsed_rectangle_of_fixed_size(%a: memref<9x14xf32>, %b: memref<9x14xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %c14 = arith.constant 14 : index
  scf.parallel (%i, %j) = (%c3, %c1) to (%c9, %c14) step (%c3, %c2) {
    %0 = memref.load %a[%i, %j] : memref<9x14xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %b[%i, %j] : memref<9x14xf32>
    scf.reduce
  }
  return
}

// -----
// program: length_of_a_tile
// follows: mlir/test/Dialect/SCF/parallel-loop-specialization.mlir
func.func @length_of_a_tile(%n: index, %o: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %h = affine.min affine_map<()[s0, s1] -> (32, s0 - s1)>()[%n, %o]
  %w = affine.min affine_map<()[s0, s1] -> (8, s0 - s1)>()[%n, %o]
  scf.parallel (%i, %j) = (%c0, %c0) to (%h, %w) step (%c1, %c1) {
    %0 = memref.load %a[%i, %j] : memref<?x?xf32>
    %1 = arith.mulf %0, %0 : f32
    memref.store %1, %b[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  return
}

// -----
// program: reduction_of_integers
// follows: mlir/test/Dialect/SCF/parallel-to-nested-fors.mlir
// passes: scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8},canonicalize
// passes: sccp
func.func @reduction_of_integers(%a: memref<?x?xi32>, %s: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %m = memref.dim %a, %c0 : memref<?x?xi32>
  %n = memref.dim %a, %c1 : memref<?x?xi32>
  %sum = scf.parallel (%i, %j) = (%c0, %c0) to (%m, %n) step (%c1, %c1) init (%zero) -> i32 {
    %0 = memref.load %a[%i, %j] : memref<?x?xi32>
    scf.reduce(%0 : i32) {
    ^bb0(%x: i32, %y: i32):
      %1 = arith.addi %x, %y : i32
      scf.reduce.return %1 : i32
    }
  }
  memref.store %sum, %s[%c0] : memref<1xi32>
  return
}

// -----
// program: serial_rows
// follows: mlir/test/Dialect/SCF/parallel-to-nested-fors.mlir
func.func @serial_rows(%a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m = memref.dim %a, %c0 : memref<?x?xf32>
  %n = memref.dim %a, %c1 : memref<?x?xf32>
  scf.parallel (%i, %j) = (%c0, %c1) to (%m, %n) step (%c1, %c2) {
    %0 = memref.load %a[%i, %j] : memref<?x?xf32>
    memref.store %0, %b[%i, %j] : memref<?x?xf32>
    scf.reduce
  }
  return
}

// -----
// program: forall_over_a_matrix
// follows: mlir/test/Dialect/SCF/forall-to-for.mlir
func.func @forall_over_a_matrix(%m: index, %n: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  scf.forall (%i, %j) in (%m, %n) {
    %0 = memref.load %a[%i, %j] : memref<?x?xf32>
    %1 = arith.addf %0, %0 : f32
    memref.store %1, %b[%i, %j] : memref<?x?xf32>
  }
  return
}

// -----
// program: forall_of_fixed_range
// follows: mlir/test/Dialect/SCF/forall-to-parallel.mlir
func.func @forall_of_fixed_range(%a: memref<20xi32>, %b: memref<20xi32>) {
  scf.forall (%i) = (2) to (19) step (3) {
    %0 = memref.load %a[%i] : memref<20xi32>
    %1 = arith.index_cast %i : index to i32
    %2 = arith.addi %0, %1 : i32
    memref.store %2, %b[%i] : memref<20xi32>
  }
  return
}

// -----
// program: forall_with_lower_bounds
// follows: mlir/test/Dialect/SCF/forall-to-for.mlir
func.func @forall_with_lower_bounds(%o: index, %n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  scf.forall (%i) = (%o) to (%n) step (2) {
    %0 = memref.load %a[%i] : memref<?xf32>
    memref.store %0, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: dimension_of_one_iteration
// follows: mlir/test/Dialect/SCF/canonicalize.mlir
func.func @dimension_of_one_iteration(%n: index, %a: memref<?x4xf32>, %b: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i, %j) = (%c0, %c2) to (%n, %c3) step (%c1, %c1) {
    %0 = memref.load %a[%i, %j] : memref<?x4xf32>
    %1 = arith.negf %0 : f32
    memref.store %1, %b[%i, %j] : memref<?x4xf32>
    scf.reduce
  }
  return
}
