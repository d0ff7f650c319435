// Views of buffers that are folded, expanded, flattened and normalised.
// passes: fold-memref-alias-ops
// passes: expand-strided-metadata
// passes: memref-expand
// passes: normalize-memrefs
// passes: flatten-memref
// passes: canonicalize
// passes: expand-strided-metadata,lower-affine
// passes: affine-fold-memref-alias-ops
// passes: mem2reg
// passes: promote-buffers-to-stack,buffer-loop-hoisting

// -----
// program: rows_of_a_view
// follows: mlir/test/Dialect/MemRef/fold-memref-alias-ops.mlir
func.func @rows_of_a_view(%n: index, %a: memref<12x32xf32>, %b: memref<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = memref.subview %a[2, 5] [4, 4] [2, 3] : memref<12x32xf32> to memref<4x4xf32, strided<[64, 3], offset: 69>>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %0 = memref.load %v[%i, %j] : memref<4x4xf32, strided<[64, 3], offset: 69>>
      memref.store %0, %b[%n, %j] : memref<?x4xf32>
    }
  }
  return
}

// -----
// program: tiles_of_open_offset
// follows: mlir/test/Dialect/MemRef/fold-memref-alias-ops.mlir
func.func @tiles_of_open_offset(%a: memref<?x16xf32>, %b: memref<?x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %n = memref.dim %a, %c0 : memref<?x16xf32>
  scf.for %i = %c0 to %n step %c4 {
    %len = affine.min affine_map<(d0)[s0] -> (4, s0 - d0)>(%i)[%n]
    %v = memref.subview %a[%i, 0] [%len, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
    %w = memref.subview %b[%i, 0] [%len, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
    scf.for %k = %c0 to %len step %c1 {
      scf.for %j = %c0 to %c16 step %c1 {
        %0 = memref.load %v[%k, %j] : memref<?x16xf32, strided<[16, 1], offset: ?>>
        %1 = arith.negf %0 : f32
        memref.store %1, %w[%k, %j] : memref<?x16xf32, strided<[16, 1], offset: ?>>
      }
    }
  }
  return
}

// -----
// program: view_of_a_view
// follows: mlir/test/Transforms/compose-subview.mlir
func.func @view_of_a_view(%a: memref<20x20xi32>, %b: memref<5xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %v = memref.subview %a[3, 2] [10, 10] [1, 1] : memref<20x20xi32> to memref<10x10xi32, strided<[20, 1], offset: 62>>
  %w = memref.subview %v[1, 4] [5, 5] [2, 1] : memref<10x10xi32, strided<[20, 1], offset: 62>> to memref<5x5xi32, strided<[40, 1], offset: 86>>
  scf.for %i = %c0 to %c5 step %c1 {
    %0 = memref.load %w[%i, %i] : memref<5x5xi32, strided<[40, 1], offset: 86>>
    memref.store %0, %b[%i] : memref<5xi32>
  }
  return
}

// -----
// program: view_that_drops_a_dimension
// follows: mlir/test/Dialect/MemRef/fold-memref-alias-ops.mlir
func.func @view_that_drops_a_dimension(%r: index, %a: memref<?x8xf32>, %b: memref<8xf32>) {
  %v = memref.subview %a[%r, 0] [1, 8] [1, 1] : memref<?x8xf32> to memref<8xf32, strided<[1], offset: ?>>
  affine.for %i = 0 to 8 {
    %0 = affine.load %v[%i] : memref<8xf32, strided<[1], offset: ?>>
    affine.store %0, %b[7 - %i] : memref<8xf32>
  }
  return
}

// -----
// program: split_dimension
// follows: mlir/test/Dialect/MemRef/fold-memref-alias-ops.mlir
func.func @split_dimension(%a: memref<24xf32>, %b: memref<4x6xf32>) {
  %v = memref.expand_shape %a [[0, 1]] output_shape [4, 6] : memref<24xf32> into memref<4x6xf32>
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %0 = affine.load %v[%i, %j] : memref<4x6xf32>
      affine.store %0, %b[%i, %j] : memref<4x6xf32>
    }
  }
  return
}

// -----
// program: split_open_dimension
// follows: mlir/test/Dialect/MemRef/fold-memref-alias-ops.mlir
func.func @split_open_dimension(%n: index, %a: memref<?x12xf32>, %b: memref<?x3x4xf32>) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %a, %c0 : memref<?x12xf32>
  %v = memref.expand_shape %a [[0], [1, 2]] output_shape [%m, 3, 4] : memref<?x12xf32> into memref<?x3x4xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 3 {
      affine.for %k = 0 to 4 {
        %0 = affine.load %v[%i, %j, %k] : memref<?x3x4xf32>
        affine.store %0, %b[%i, 2 - %j, %k] : memref<?x3x4xf32>
      }
    }
  }
  return
}

// -----
// program: merged_dimensions
// follows: mlir/test/Dialect/MemRef/fold-memref-alias-ops.mlir
func.func @merged_dimensions(%n: index, %a: memref<?x3x4xf32>, %b: memref<?x12xf32>) {
  %v = memref.collapse_shape %a [[0], [1, 2]] : memref<?x3x4xf32> into memref<?x12xf32>
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 12 {
      %0 = affine.load %v[%i, %j] : memref<?x12xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %b[%i, %j] : memref<?x12xf32>
    }
  }
  return
}

// -----
// program: store_into_a_view
// follows: mlir/test/Dialect/MemRef/expand-strided-metadata.mlir
func.func @store_into_a_view(%n: index, %a: memref<?x16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.subview %a[%i, 3] [1, 6] [1, 2] : memref<?x16xf32> to memref<1x6xf32, strided<[16, 2], offset: ?>>
    affine.for %j = 0 to 6 {
      affine.store %f, %v[0, %j] : memref<1x6xf32, strided<[16, 2], offset: ?>>
    }
  }
  return
}

// -----
// program: reinterpreted_rows
// follows: mlir/test/Dialect/MemRef/expand-strided-metadata.mlir
func.func @reinterpreted_rows(%a: memref<24xf32>, %b: memref<3x4xf32>) {
  %v = memref.reinterpret_cast %a to offset: [2], sizes: [3, 4], strides: [7, 2] : memref<24xf32> to memref<3x4xf32, strided<[7, 2], offset: 2>>
  affine.for %i = 0 to 3 {
    affine.for %j = 0 to 4 {
      %0 = affine.load %v[%i, %j] : memref<3x4xf32, strided<[7, 2], offset: 2>>
      affine.store %0, %b[%i, %j] : memref<3x4xf32>
    }
  }
  return
}

// -----
// program: transposed_layout
// follows: mlir/test/Dialect/MemRef/normalize-memrefs.mlir
func.func @transposed_layout(%a: memref<6x9xf32>, %b: memref<6x9xf32>) {
  %t = memref.alloc() : memref<6x9xf32, affine_map<(d0, d1) -> (d1, d0)>>
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 9 {
      %0 = affine.load %a[%i, %j] : memref<6x9xf32>
      affine.store %0, %t[%i, %j] : memref<6x9xf32, affine_map<(d0, d1) -> (d1, d0)>>
    }
  }
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 9 {
      %0 = affine.load %t[%i, 8 - %j] : memref<6x9xf32, affine_map<(d0, d1) -> (d1, d0)>>
      affine.store %0, %b[%i, %j] : memref<6x9xf32>
    }
  }
  memref.dealloc %t : memref<6x9xf32, affine_map<(d0, d1) -> (d1, d0)>>
  return
}

// -----
// program: tiled_layout
// follows: mlir/test/Dialect/MemRef/normalize-memrefs.mlir
func.func @tiled_layout(%n: index, %a: memref<?x32xf32>, %b: memref<?x32xf32>) {
  affine.for %r = 0 to %n {
    %t = memref.alloc() : memref<32xf32, affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>>
    affine.for %i = 0 to 32 {
      %0 = affine.load %a[%r, %i] : memref<?x32xf32>
      affine.store %0, %t[%i] : memref<32xf32, affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>>
    }
    affine.for %i = 0 to 32 {
      %0 = affine.load %t[31 - %i] : memref<32xf32, affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>>
      affine.store %0, %b[%r, %i] : memref<?x32xf32>
    }
  }
  return
}

// -----
// program: strided_layout
// follows: mlir/test/Dialect/MemRef/normalize-memrefs.mlir
func.func @strided_layout(%a: memref<16xf32>, %b: memref<16xf32>) {
  %t = memref.alloc() : memref<16xf32, affine_map<(d0) -> (d0 * 2 + 3)>>
  affine.for %i = 0 to 16 {
    %0 = affine.load %a[%i] : memref<16xf32>
    affine.store %0, %t[%i] : memref<16xf32, affine_map<(d0) -> (d0 * 2 + 3)>>
  }
  affine.for %i = 0 to 16 {
    %0 = affine.load %t[%i] : memref<16xf32, affine_map<(d0) -> (d0 * 2 + 3)>>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %b[%i] : memref<16xf32>
  }
  return
}

// -----
// program: cell_becomes_a_value
// follows: mlir/test/Dialect/MemRef/mem2reg.mlir
func.func @cell_becomes_a_value(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloca() : memref<f32>
    %0 = memref.load %a[%i] : memref<?xf32>
    memref.store %0, %t[] : memref<f32>
    %1 = memref.load %t[] : memref<f32>
    %2 = arith.mulf %1, %0 : f32
    memref.store %2, %t[] : memref<f32>
    %3 = memref.load %t[] : memref<f32>
    memref.store %3, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: sum_in_a_cell
// follows: mlir/test/Dialect/SCF/mem2reg.mlir
// passes: scf-for-loop-peeling{peel-front}
// passes: sccp
func.func @sum_in_a_cell(%n: index, %a: memref<?xf32>, %s: memref<1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %t = memref.alloca() : memref<f32>
  memref.store %zero, %t[] : memref<f32>
  scf.for %i = %c0 to %n step %c1 {
    %0 = memref.load %a[%i] : memref<?xf32>
    %1 = memref.load %t[] : memref<f32>
    %2 = arith.addf %1, %0 : f32
    memref.store %2, %t[] : memref<f32>
  }
  %3 = memref.load %t[] : memref<f32>
  memref.store %3, %s[%c0] : memref<1xf32>
  return
}

// -----
// program: buffer_of_each_iteration
// follows: mlir/test/Transforms/promote-buffers-to-stack.mlir
func.func @buffer_of_each_iteration(%n: index, %a: memref<?x6xf32>, %b: memref<?x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<6xf32>
    scf.for %j = %c0 to %c6 step %c1 {
      %0 = memref.load %a[%i, %j] : memref<?x6xf32>
      memref.store %0, %t[%j] : memref<6xf32>
    }
    scf.for %j = %c0 to %c6 step %c1 {
      %k = arith.subi %c5, %j : index
      %0 = memref.load %t[%k] : memref<6xf32>
      memref.store %0, %b[%i, %j] : memref<?x6xf32>
    }
    memref.dealloc %t : memref<6xf32>
  }
  return
}

// -----
// program: size_of_a_view
// follows: mlir/test/Dialect/MemRef/canonicalize.mlir
func.func @size_of_a_view(%n: index, %a: memref<?xf32>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.subview %a[1] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
  %m = memref.dim %v, %c0 : memref<?xf32, strided<[1], offset: 1>>
  scf.for %i = %c0 to %m step %c1 {
    %0 = memref.load %v[%i] : memref<?xf32, strided<[1], offset: 1>>
    memref.store %0, %b[%i] : memref<?xf32>
  }
  return
}

// -----
// program: cast_to_an_open_size
// follows: mlir/test/Dialect/MemRef/canonicalize.mlir
func.func @cast_to_an_open_size(%a: memref<8x?xf32>, %b: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.cast %a : memref<8x?xf32> to memref<?x?xf32>
  %m = memref.dim %v, %c0 : memref<?x?xf32>
  %n = memref.dim %v, %c1 : memref<?x?xf32>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %0 = memref.load %v[%i, %j] : memref<?x?xf32>
      memref.store %0, %b[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// -----
// program: flat_accesses
// follows: mlir/test/Dialect/MemRef/flatten_memref.mlir
func.func @flat_accesses(%a: memref<6x8xf32>, %b: memref<6x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %t = memref.alloc() : memref<6x8xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %0 = memref.load %a[%i, %j] : memref<6x8xf32>
      memref.store %0, %t[%i, %j] : memref<6x8xf32>
    }
  }
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %0 = memref.load %t[%i, %j] : memref<6x8xf32>
      %1 = arith.negf %0 : f32
      memref.store %1, %b[%i, %j] : memref<6x8xf32>
    }
  }
  return
}
