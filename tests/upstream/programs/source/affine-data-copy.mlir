// Nests whose data is copied to a fast buffer and back.
// passes: affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}
// passes: affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
// passes: affine-loop-tile{tile-size=4},affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
// passes: affine-data-copy-generate{generate-dma=false fast-mem-space=0},canonicalize

// -----
// program: sum_of_two_rows
// follows: mlir/test/Dialect/Affine/affine-data-copy.mlir
func.func @sum_of_two_rows(%a: memref<32xf32>, %b: memref<32xf32>) {
  affine.for %i = 0 to 32 {
    %0 = affine.load %a[%i] : memref<32xf32>
    %1 = affine.load %b[%i] : memref<32xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %b[%i] : memref<32xf32>
  }
  return
}

// -----
// program: product_by_tiles
// follows: mlir/test/Dialect/Affine/affine-data-copy.mlir
func.func @product_by_tiles(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  affine.for %i = 0 to 16 step 8 {
    affine.for %j = 0 to 16 step 8 {
      affine.for %ii = affine_map<(d0) -> (d0)>(%i) to affine_map<(d0) -> (d0 + 8)>(%i) {
        affine.for %jj = affine_map<(d0) -> (d0)>(%j) to affine_map<(d0) -> (d0 + 8)>(%j) {
          affine.for %k = 0 to 16 {
            %0 = affine.load %a[%ii, %k] : memref<16x16xf32>
            %1 = affine.load %b[%k, %jj] : memref<16x16xf32>
            %2 = affine.load %c[%ii, %jj] : memref<16x16xf32>
            %3 = arith.mulf %0, %1 : f32
            %4 = arith.addf %2, %3 : f32
            affine.store %4, %c[%ii, %jj] : memref<16x16xf32>
          }
        }
      }
    }
  }
  return
}

// -----
// program: columns_of_open_height
// follows: mlir/test/Dialect/Affine/affine-data-copy.mlir
func.func @columns_of_open_height(%a: memref<?x20xf32>, %b: memref<?x20xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?x20xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 20 {
      %0 = affine.load %a[%i, %j] : memref<?x20xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %b[%i, %j] : memref<?x20xf32>
    }
  }
  return
}

// -----
// program: reuse_of_a_window
// follows: mlir/test/Dialect/Affine/affine-data-copy.mlir
func.func @reuse_of_a_window(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 5 {
      %0 = affine.load %a[%i + %j] : memref<?xf32>
      %1 = affine.load %b[%i] : memref<?xf32>
      %2 = arith.maximumf %0, %1 : f32
      affine.store %2, %b[%i] : memref<?xf32>
    }
  }
  return
}

// -----
// program: write_only_half
// follows: mlir/test/Dialect/Affine/affine-data-copy.mlir
func.func @write_only_half(%a: memref<20xi32>, %b: memref<20xi32>) {
  affine.for %i = 0 to 10 {
    %0 = affine.load %a[%i * 2] : memref<20xi32>
    affine.store %0, %b[%i + 10] : memref<20xi32>
  }
  return
}

// -----
// program: stride_of_four
// follows: mlir/test/Dialect/Affine/data-copy-non-unit-stride.mlir
func.func @stride_of_four(%a: memref<64xf32>, %b: memref<64xf32>) {
  affine.for %i = 0 to 64 step 4 {
    affine.for %j = 0 to 4 {
      %0 = affine.load %a[%i + %j] : memref<64xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %b[%i + %j] : memref<64xf32>
    }
  }
  return
}

// -----
// program: one_element_again_and_again
// follows: https://github.com/llvm/llvm-project/issues/217538
func.func @one_element_again_and_again(%a: memref<6xf32>, %b: memref<6xf32>, %v: f32) {
  affine.for %i = 0 to 6 {
    affine.store %v, %a[3] : memref<6xf32>
    %0 = affine.load %a[3] : memref<6xf32>
    affine.store %0, %b[%i] : memref<6xf32>
  }
  return
}

// -----
// program: triangular_reads
// follows: mlir/test/Dialect/Affine/dma-generate.mlir
func.func @triangular_reads(%n: index, %a: memref<?x?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %0 = affine.load %a[%i, %j] : memref<?x?xf32>
      %1 = affine.load %b[%j] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %b[%i] : memref<?xf32>
    }
  }
  return
}

// -----
// program: guarded_writes_are_copied_back
// follows: mlir/test/Dialect/Affine/affine-data-copy.mlir
func.func @guarded_writes_are_copied_back(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  affine.for %i = 0 to %n {
    affine.if affine_set<(d0) : (d0 mod 3 == 0)>(%i) {
      %0 = affine.load %a[%i] : memref<?xf32>
      affine.store %0, %b[%i] : memref<?xf32>
    }
  }
  return
}
