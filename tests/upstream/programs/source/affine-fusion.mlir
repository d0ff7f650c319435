// Producers and siblings that the fusion of affine loops merges.
// passes: affine-loop-fusion
// passes: affine-loop-fusion{mode=producer}
// passes: affine-loop-fusion{mode=sibling}
// passes: affine-loop-fusion{maximal}
// passes: affine-loop-fusion,affine-scalrep

// -----
// program: temporary_of_a_sum
// follows: mlir/test/Dialect/Affine/loop-fusion.mlir
func.func @temporary_of_a_sum(%a: memref<48xf32>, %b: memref<48xf32>) {
  %two = arith.constant 2.0 : f32
  %t = memref.alloc() : memref<48xf32>
  affine.for %i = 0 to 48 {
    %0 = affine.load %a[%i] : memref<48xf32>
    %1 = arith.mulf %0, %two : f32
    affine.store %1, %t[%i] : memref<48xf32>
  }
  affine.for %i = 0 to 48 {
    %0 = affine.load %t[%i] : memref<48xf32>
    %1 = arith.addf %0, %two : f32
    affine.store %1, %b[%i] : memref<48xf32>
  }
  return
}

// -----
// program: three_stages
// follows: mlir/test/Dialect/Affine/loop-fusion-2.mlir
func.func @three_stages(%a: memref<40xf32>, %b: memref<40xf32>) {
  %t = memref.alloc() : memref<40xf32>
  %u = memref.alloc() : memref<40xf32>
  affine.for %i = 0 to 40 {
    %0 = affine.load %a[%i] : memref<40xf32>
    %1 = arith.negf %0 : f32
    affine.store %1, %t[%i] : memref<40xf32>
  }
  affine.for %i = 0 to 40 {
    %0 = affine.load %t[%i] : memref<40xf32>
    %1 = arith.mulf %0, %0 : f32
    affine.store %1, %u[%i] : memref<40xf32>
  }
  affine.for %i = 0 to 40 {
    %0 = affine.load %u[%i] : memref<40xf32>
    %1 = affine.load %t[%i] : memref<40xf32>
    %2 = arith.subf %0, %1 : f32
    affine.store %2, %b[%i] : memref<40xf32>
  }
  return
}

// -----
// program: three_stages_of_each_row
// follows: mlir/test/Dialect/Affine/loop-fusion-2.mlir
func.func @three_stages_of_each_row(%a: memref<?x24xf32>, %b: memref<?x24xf32>) {
  affine.for %r = 0 to 8 {
    %t = memref.alloc() : memref<24xf32>
    %u = memref.alloc() : memref<24xf32>
    affine.for %i = 0 to 24 {
      %0 = affine.load %a[%r, %i] : memref<?x24xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %t[%i] : memref<24xf32>
    }
    affine.for %i = 0 to 24 {
      %0 = affine.load %t[%i] : memref<24xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %u[%i] : memref<24xf32>
    }
    affine.for %i = 0 to 24 {
      %0 = affine.load %u[%i] : memref<24xf32>
      %1 = affine.load %t[%i] : memref<24xf32>
      %2 = arith.subf %0, %1 : f32
      affine.store %2, %b[%r, %i] : memref<?x24xf32>
    }
  }
  return
}

// -----
// program: siblings_that_read_one_array
// follows: mlir/test/Dialect/Affine/loop-fusion-sibling.mlir
func.func @siblings_that_read_one_array(%a: memref<?x16xf32>, %b: memref<?x16xf32>, %c: memref<?x16xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      %0 = affine.load %a[%i, %j] : memref<?x16xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %b[%i, %j] : memref<?x16xf32>
    }
    affine.for %j = 0 to 16 {
      %0 = affine.load %a[%i, %j] : memref<?x16xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %c[%i, %j] : memref<?x16xf32>
    }
  }
  return
}

// -----
// program: siblings_of_sums
// follows: mlir/test/Dialect/Affine/loop-fusion-sibling.mlir
func.func @siblings_of_sums(%a: memref<12x20xf32>, %s: memref<12xf32>, %p: memref<12xf32>) {
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 20 {
      %0 = affine.load %a[%i, %j] : memref<12x20xf32>
      %1 = affine.load %s[%i] : memref<12xf32>
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %s[%i] : memref<12xf32>
    }
  }
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 20 {
      %0 = affine.load %a[%i, %j] : memref<12x20xf32>
      %1 = affine.load %p[%i] : memref<12xf32>
      %2 = arith.mulf %1, %0 : f32
      affine.store %2, %p[%i] : memref<12xf32>
    }
  }
  return
}

// -----
// program: product_after_init
// follows: mlir/test/Dialect/Affine/loop-fusion.mlir
func.func @product_after_init(%a: memref<10x6xf32>, %b: memref<6x8xf32>, %c: memref<10x8xf32>) {
  %zero = arith.constant 0.0 : f32
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 8 {
      affine.store %zero, %c[%i, %j] : memref<10x8xf32>
    }
  }
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 8 {
      affine.for %l = 0 to 6 {
        %0 = affine.load %a[%i, %l] : memref<10x6xf32>
        %1 = affine.load %b[%l, %j] : memref<6x8xf32>
        %2 = affine.load %c[%i, %j] : memref<10x8xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %c[%i, %j] : memref<10x8xf32>
      }
    }
  }
  return
}

// -----
// program: stencil_of_a_temporary
// follows: mlir/test/Dialect/Affine/loop-fusion-3.mlir
func.func @stencil_of_a_temporary(%a: memref<34xf32>, %b: memref<32xf32>) {
  %t = memref.alloc() : memref<34xf32>
  affine.for %i = 0 to 34 {
    %0 = affine.load %a[%i] : memref<34xf32>
    %1 = arith.mulf %0, %0 : f32
    affine.store %1, %t[%i] : memref<34xf32>
  }
  affine.for %i = 0 to 32 {
    %0 = affine.load %t[%i] : memref<34xf32>
    %1 = affine.load %t[%i + 1] : memref<34xf32>
    %2 = affine.load %t[%i + 2] : memref<34xf32>
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    affine.store %4, %b[%i] : memref<32xf32>
  }
  return
}

// -----
// program: shifted_consumer
// follows: mlir/test/Dialect/Affine/loop-fusion-2.mlir
func.func @shifted_consumer(%a: memref<36xf32>, %t: memref<36xf32>, %b: memref<32xf32>) {
  affine.for %i = 0 to 36 {
    %0 = affine.load %a[%i] : memref<36xf32>
    %1 = arith.mulf %0, %0 : f32
    affine.store %1, %t[%i] : memref<36xf32>
  }
  affine.for %i = 0 to 32 {
    %0 = affine.load %t[%i + 4] : memref<36xf32>
    %1 = arith.negf %0 : f32
    affine.store %1, %b[%i] : memref<32xf32>
  }
  return
}

// -----
// program: ends_of_rows_divide_them
// follows: mlir/test/Dialect/Affine/loop-fusion-4.mlir
func.func @ends_of_rows_divide_them(%a: memref<12x8xf32>, %b: memref<12x8xf32>) {
  %t = memref.alloc() : memref<12xf32>
  affine.for %i = 0 to 12 {
    %0 = affine.load %a[%i, 0] : memref<12x8xf32>
    %1 = affine.load %a[%i, 7] : memref<12x8xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %t[%i] : memref<12xf32>
  }
  affine.for %i = 0 to 12 {
    affine.for %j = 0 to 8 {
      %0 = affine.load %t[%i] : memref<12xf32>
      %1 = affine.load %a[%i, %j] : memref<12x8xf32>
      %2 = arith.divf %1, %0 : f32
      affine.store %2, %b[%i, %j] : memref<12x8xf32>
    }
  }
  return
}

// -----
// program: consumer_of_half
// follows: https://github.com/llvm/llvm-project/issues/210490
func.func @consumer_of_half(%a: memref<24xf32>, %t: memref<24xf32>, %b: memref<12xf32>) {
  affine.for %i = 0 to 24 {
    %0 = affine.load %a[%i] : memref<24xf32>
    %1 = arith.negf %0 : f32
    affine.store %1, %t[%i] : memref<24xf32>
  }
  affine.for %i = 0 to 12 {
    %0 = affine.load %t[%i * 2] : memref<24xf32>
    affine.store %0, %b[%i] : memref<12xf32>
  }
  return
}

// -----
// program: fused_inside_a_loop
// follows: mlir/test/Dialect/Affine/loop-fusion-inner.mlir
func.func @fused_inside_a_loop(%a: memref<?x32xf32>, %b: memref<?x32xf32>) {
  affine.for %i = 0 to 8 {
    %t = memref.alloc() : memref<32xf32>
    affine.for %j = 0 to 32 {
      %0 = affine.load %a[%i, %j] : memref<?x32xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %t[%j] : memref<32xf32>
    }
    affine.for %j = 0 to 32 {
      %0 = affine.load %t[%j] : memref<32xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %b[%i, %j] : memref<?x32xf32>
    }
  }
  return
}

// -----
// program: live_out_producer
// follows: mlir/test/Dialect/Affine/loop-fusion.mlir
func.func @live_out_producer(%a: memref<9x7xi32>, %t: memref<9x7xi32>, %b: memref<9x7xi32>) {
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 7 {
      %0 = affine.load %a[%i, %j] : memref<9x7xi32>
      %1 = arith.addi %0, %0 : i32
      affine.store %1, %t[%i, %j] : memref<9x7xi32>
    }
  }
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 7 {
      %0 = affine.load %t[%i, %j] : memref<9x7xi32>
      %1 = affine.load %a[%i, 0] : memref<9x7xi32>
      %2 = arith.xori %1, %0 : i32
      affine.store %2, %b[%i, %j] : memref<9x7xi32>
    }
  }
  return
}

// -----
// program: reads_before_the_write
// follows: https://github.com/llvm/llvm-project/issues/212032
func.func @reads_before_the_write(%a: memref<9xf32>, %c: memref<9xf32>, %t: memref<9xf32>) {
  affine.for %p = 0 to 8 {
    %0 = affine.load %a[%p + 1] : memref<9xf32>
    %1 = affine.load %c[%p] : memref<9xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %t[%p] : memref<9xf32>
  }
  affine.for %p = 0 to 8 {
    %0 = affine.load %t[%p] : memref<9xf32>
    affine.store %0, %a[%p] : memref<9xf32>
  }
  return
}

// -----
// program: reversed_consumer
// follows: mlir/test/Dialect/Affine/loop-fusion-vector.mlir
func.func @reversed_consumer(%r: index, %a: memref<?x20xf32>, %b: memref<?x20xf32>) {
  %t = memref.alloc() : memref<20xf32>
  affine.for %i = 0 to 20 {
    %0 = affine.load %a[symbol(%r), %i] : memref<?x20xf32>
    %1 = arith.mulf %0, %0 : f32
    affine.store %1, %t[%i] : memref<20xf32>
  }
  affine.for %i = 0 to 20 {
    %0 = affine.load %t[19 - %i] : memref<20xf32>
    affine.store %0, %b[symbol(%r), %i] : memref<?x20xf32>
  }
  return
}

// -----
// program: rows_of_an_open_matrix
// follows: mlir/test/Dialect/Affine/loop-fusion-4.mlir
func.func @rows_of_an_open_matrix(%r: index, %a: memref<?x8xf32>, %b: memref<?x8xf32>) {
  %t = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    %0 = affine.load %a[symbol(%r), %i] : memref<?x8xf32>
    %1 = math.sqrt %0 : f32
    affine.store %1, %t[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %0 = affine.load %t[%i] : memref<8xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %b[symbol(%r), %i] : memref<?x8xf32>
  }
  return
}

// -----
// program: transposed_consumer
// follows: mlir/test/Dialect/Affine/loop-fusion-slice-computation.mlir
func.func @transposed_consumer(%a: memref<?x6x9xf32>, %b: memref<?x9x6xf32>) {
  affine.for %r = 0 to 8 {
    %t = memref.alloc() : memref<6x9xf32>
    affine.for %i = 0 to 6 {
      affine.for %j = 0 to 9 {
        %0 = affine.load %a[%r, %i, %j] : memref<?x6x9xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %t[%i, %j] : memref<6x9xf32>
      }
    }
    affine.for %i = 0 to 9 {
      affine.for %j = 0 to 6 {
        %0 = affine.load %t[%j, %i] : memref<6x9xf32>
        affine.store %0, %b[%r, %i, %j] : memref<?x9x6xf32>
      }
    }
  }
  return
}

