// Stores that are forwarded to loads, and accesses that are redundant.
// passes: affine-scalrep
// passes: affine-scalrep,canonicalize,cse
// passes: affine-loop-unroll{unroll-factor=2},affine-scalrep

// -----
// program: store_then_load
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @store_then_load(%a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xf32>
    %1 = arith.mulf %0, %0 : f32
    affine.store %1, %t[%i] : memref<?xf32>
    %2 = affine.load %t[%i] : memref<?xf32>
    %3 = arith.addf %2, %0 : f32
    affine.store %3, %b[%i] : memref<?xf32>
  }
  memref.dealloc %t : memref<?xf32>
  return
}

// -----
// program: two_loads_of_one_element
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @two_loads_of_one_element(%n: index, %a: memref<?x?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to %n {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      %1 = affine.load %a[%i, %j] : memref<?x?xf32>
      %2 = arith.mulf %0, %1 : f32
      affine.store %2, %b[%j] : memref<?xf32>
    }
  }
  return
}

// -----
// program: overwritten_store
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @overwritten_store(%a: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xi32>
  %one = arith.constant 1 : i32
  %seven = arith.constant 7 : i32
  affine.for %i = 0 to %n {
    affine.store %one, %a[%i] : memref<?xi32>
    affine.store %seven, %a[%i] : memref<?xi32>
  }
  return
}

// -----
// program: neighbour_is_not_forwarded
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @neighbour_is_not_forwarded(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %0 = affine.load %a[%i] : memref<?xf32>
    affine.store %0, %b[%i] : memref<?xf32>
    %1 = affine.load %b[%i + 1] : memref<?xf32>
    %2 = affine.load %b[%i] : memref<?xf32>
    %3 = arith.addf %1, %2 : f32
    affine.store %3, %a[%i] : memref<?xf32>
  }
  return
}

// -----
// program: store_above_the_loop
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @store_above_the_loop(%b: memref<?xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  %t = memref.alloc() : memref<2xf32>
  affine.store %v, %t[1] : memref<2xf32>
  affine.for %i = 0 to %n {
    %0 = affine.load %t[1] : memref<2xf32>
    affine.store %0, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: accumulation_in_a_cell
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @accumulation_in_a_cell(%a: memref<?x10xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %a, %c0 : memref<?x10xf32>
  %t = memref.alloc() : memref<1xf32>
  affine.for %i = 0 to %n {
    affine.store %zero, %t[0] : memref<1xf32>
    affine.for %j = 0 to 10 {
      %0 = affine.load %a[%i, %j] : memref<?x10xf32>
      %1 = affine.load %t[0] : memref<1xf32>
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %t[0] : memref<1xf32>
    }
    %3 = affine.load %t[0] : memref<1xf32>
    affine.store %3, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: store_in_a_branch
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @store_in_a_branch(%n: index, %a: memref<?xf32>, %b: memref<?xf32>, %v: f32) {
  affine.for %i = 0 to %n {
    affine.store %v, %a[%i] : memref<?xf32>
    affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) {
      %0 = affine.load %b[%i] : memref<?xf32>
      affine.store %0, %a[%i] : memref<?xf32>
    }
    %1 = affine.load %a[%i] : memref<?xf32>
    affine.store %1, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: redundant_loads_around_a_store
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @redundant_loads_around_a_store(%a: memref<12xf32>, %b: memref<12xf32>) {
  affine.for %i = 0 to 11 {
    %0 = affine.load %a[%i] : memref<12xf32>
    affine.store %0, %b[%i] : memref<12xf32>
    %1 = affine.load %a[%i] : memref<12xf32>
    %2 = affine.load %b[%i + 1] : memref<12xf32>
    %3 = arith.addf %1, %2 : f32
    affine.store %3, %a[%i + 1] : memref<12xf32>
  }
  return
}

// -----
// program: vector_store_then_load
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @vector_store_then_load(%a: memref<32xf32>, %b: memref<32xf32>) {
  %t = memref.alloc() : memref<32xf32>
  affine.for %i = 0 to 32 step 4 {
    %0 = affine.vector_load %a[%i] : memref<32xf32>, vector<4xf32>
    %1 = arith.mulf %0, %0 : vector<4xf32>
    affine.vector_store %1, %t[%i] : memref<32xf32>, vector<4xf32>
    %2 = affine.vector_load %t[%i] : memref<32xf32>, vector<4xf32>
    affine.vector_store %2, %b[%i] : memref<32xf32>, vector<4xf32>
  }
  return
}

// -----
// program: parallel_loop_with_a_temporary
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @parallel_loop_with_a_temporary(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.parallel (%i) = (0) to (symbol(%n)) {
    %t = memref.alloca() : memref<1xf32>
    %0 = affine.load %a[%i] : memref<?xf32>
    affine.store %0, %t[0] : memref<1xf32>
    %1 = affine.load %t[0] : memref<1xf32>
    %2 = arith.addf %1, %1 : f32
    affine.store %2, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: mapped_subscripts_agree
// follows: mlir/test/Dialect/Affine/scalrep.mlir
func.func @mapped_subscripts_agree(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %k = affine.apply affine_map<(d0) -> (d0 * 2 + 1)>(%i)
    %0 = affine.load %b[%i] : memref<?xf32>
    affine.store %0, %a[%k] : memref<?xf32>
    %1 = affine.load %a[%i * 2 + 1] : memref<?xf32>
    %2 = arith.negf %1 : f32
    affine.store %2, %b[%i] : memref<?xf32>
  }
  return
}
