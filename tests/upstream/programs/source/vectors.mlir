// Vector transfers and operations that become loops or simpler operations.
// passes: convert-vector-to-scf
// passes: convert-vector-to-scf{full-unroll=true}
// passes: convert-vector-to-scf{target-rank=0}
// passes: lower-vector-multi-reduction
// passes: canonicalize
// passes: lower-vector-mask
// passes: loop-invariant-code-motion
// passes: cse,canonicalize
// passes: scf-for-loop-peeling,canonicalize
// passes: convert-vector-to-scf,lower-affine,canonicalize

// -----
// program: copy_of_a_tile
// follows: mlir/test/Conversion/VectorToSCF/vector-to-scf.mlir
func.func @copy_of_a_tile(%i: index, %a: memref<?x?xf32>, %b: memref<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %a[%i, %c0], %zero : memref<?x?xf32>, vector<4x3xf32>
  vector.transfer_write %0, %b[%c0, %c0] : vector<4x3xf32>, memref<?x?xf32>
  return
}

// -----
// program: rows_by_eight
// follows: mlir/test/Conversion/VectorToSCF/vector-to-scf.mlir
func.func @rows_by_eight(%a: memref<?xf32>, %b: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c8 {
    %0 = vector.transfer_read %a[%i], %zero : memref<?xf32>, vector<8xf32>
    %1 = arith.mulf %0, %0 : vector<8xf32>
    vector.transfer_write %1, %b[%i] : vector<8xf32>, memref<?xf32>
  }
  return
}

// -----
// program: vector_load_in_a_peeled_loop
// follows: mlir/test/Dialect/SCF/for-loop-peeling-vector-load-store.mlir
func.func @vector_load_in_a_peeled_loop(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c4 {
    %len = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
    %mask = vector.create_mask %len : vector<4xi1>
    %0 = vector.maskedload %a[%i], %mask, %zero : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
    %1 = arith.addf %0, %0 : vector<4xf32>
    vector.maskedstore %b[%i], %mask, %1 : memref<?xf32>, vector<4xi1>, vector<4xf32>
  }
  return
}

// -----
// program: transposed_read
// follows: mlir/test/Conversion/VectorToSCF/vector-to-scf.mlir
func.func @transposed_read(%a: memref<?x?xf32>, %b: memref<4x5xf32>) {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %0 = vector.transfer_read %a[%c0, %c0], %one {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<?x?xf32>, vector<4x5xf32>
  vector.transfer_write %0, %b[%c0, %c0] {in_bounds = [true, true]} : vector<4x5xf32>, memref<4x5xf32>
  return
}

// -----
// program: broadcast_read
// follows: mlir/test/Conversion/VectorToSCF/vector-to-scf.mlir
func.func @broadcast_read(%n: index, %a: memref<?xf32>, %b: memref<?x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = vector.transfer_read %a[%i], %zero {in_bounds = [true], permutation_map = affine_map<(d0) -> (0)>} : memref<?xf32>, vector<8xf32>
    vector.transfer_write %0, %b[%i, %c0] {in_bounds = [true]} : vector<8xf32>, memref<?x8xf32>
  }
  return
}

// -----
// program: plain_loads_and_stores
// follows: mlir/test/Dialect/Vector/canonicalize.mlir
func.func @plain_loads_and_stores(%n: index, %a: memref<?x8xf32>, %b: memref<?x8xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = vector.load %a[%i, %c0] : memref<?x8xf32>, vector<8xf32>
    %s = vector.broadcast %f : f32 to vector<8xf32>
    %t = vector.broadcast %f : f32 to vector<8xf32>
    %1 = arith.mulf %0, %s : vector<8xf32>
    %2 = arith.addf %1, %t : vector<8xf32>
    vector.store %2, %b[%i, %c0] : memref<?x8xf32>, vector<8xf32>
  }
  return
}

// -----
// program: sum_of_the_lanes
// follows: mlir/test/Dialect/Vector/vector-multi-reduction-lowering.mlir
func.func @sum_of_the_lanes(%a: memref<4x8xi32>, %s: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i32
  %acc = arith.constant dense<0> : vector<4xi32>
  %0 = vector.transfer_read %a[%c0, %c0], %zero {in_bounds = [true, true]} : memref<4x8xi32>, vector<4x8xi32>
  %1 = vector.multi_reduction <add>, %0, %acc [1] : vector<4x8xi32> to vector<4xi32>
  vector.transfer_write %1, %s[%c0] {in_bounds = [true]} : vector<4xi32>, memref<4xi32>
  return
}

// -----
// program: reduction_of_each_row
// follows: mlir/test/Dialect/Vector/break-down-vector-reduction.mlir
func.func @reduction_of_each_row(%n: index, %a: memref<?x8xi32>, %s: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = vector.load %a[%i, %c0] : memref<?x8xi32>, vector<8xi32>
    %1 = vector.load %a[%i, %c0] : memref<?x8xi32>, vector<8xi32>
    %2 = arith.muli %0, %1 : vector<8xi32>
    %3 = vector.reduction <add>, %2 : vector<8xi32> into i32
    memref.store %3, %s[%i] : memref<?xi32>
  }
  return
}

// -----
// program: splat_of_a_constant
// follows: mlir/test/Dialect/Vector/canonicalize/vector-splat.mlir
func.func @splat_of_a_constant(%n: index, %a: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %half = arith.constant 0.5 : f32
    %v = vector.broadcast %half : f32 to vector<4xf32>
    vector.store %v, %a[%i, %c0] : memref<?x4xf32>, vector<4xf32>
  }
  return
}

// -----
// program: extracted_and_inserted_lanes
// follows: mlir/test/Dialect/Vector/canonicalize/vector-extract.mlir
func.func @extracted_and_inserted_lanes(%n: index, %a: memref<?x4xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = vector.load %a[%i, %c0] : memref<?x4xf32>, vector<4xf32>
    %1 = vector.extract %0[1] : f32 from vector<4xf32>
    %2 = vector.insert %1, %0 [3] : f32 into vector<4xf32>
    %3 = vector.extract %2[3] : f32 from vector<4xf32>
    %4 = vector.extract %2[0] : f32 from vector<4xf32>
    %5 = arith.addf %3, %4 : f32
    memref.store %5, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: carried_vector
// follows: mlir/test/Conversion/VectorToSCF/vector-to-scf.mlir
func.func @carried_vector(%n: index, %a: memref<?x8xi32>, %s: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zeros = arith.constant dense<0> : vector<8xi32>
  %pad = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zeros) -> vector<8xi32> {
    %0 = vector.transfer_read %a[%i, %c0], %pad {in_bounds = [true]} : memref<?x8xi32>, vector<8xi32>
    %1 = arith.addi %acc, %0 : vector<8xi32>
    scf.yield %1 : vector<8xi32>
  }
  vector.transfer_write %sum, %s[%c0] {in_bounds = [true]} : vector<8xi32>, memref<8xi32>
  return
}

// -----
// program: masked_copy
// follows: mlir/test/Dialect/Vector/lower-vector-mask.mlir
func.func @masked_copy(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %mask = vector.create_mask %n : vector<8xi1>
  %0 = vector.mask %mask { vector.transfer_read %a[%c0], %zero : memref<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  vector.mask %mask { vector.transfer_write %0, %b[%c0] : vector<8xf32>, memref<?xf32> } : vector<8xi1>
  return
}

// -----
// program: lane_of_a_slice
// follows: mlir/test/Dialect/Vector/canonicalize.mlir
func.func @lane_of_a_slice(%n: index, %a: memref<?x8xf32>, %b: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = vector.load %a[%i, %c0] : memref<?x8xf32>, vector<8xf32>
    %1 = vector.extract_strided_slice %0 {offsets = [2], sizes = [6], strides = [1]} : vector<8xf32> to vector<6xf32>
    %2 = vector.extract %1[1] : f32 from vector<6xf32>
    memref.store %2, %b[%i, %c0] : memref<?x4xf32>
  }
  return
}
