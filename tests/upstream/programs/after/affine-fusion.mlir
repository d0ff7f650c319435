// ===== temporary_of_a_sum | mlir-opt 22 | affine-loop-fusion
module {
  func.func @temporary_of_a_sum(%arg0: memref<48xf32>, %arg1: memref<48xf32>) {
    %alloc = memref.alloc() : memref<1xf32>
    %cst = arith.constant 2.000000e+00 : f32
    affine.for %arg2 = 0 to 48 {
      %0 = affine.load %arg0[%arg2] : memref<48xf32>
      %1 = arith.mulf %0, %cst : f32
      affine.store %1, %alloc[0] : memref<1xf32>
      %2 = affine.load %alloc[0] : memref<1xf32>
      %3 = arith.addf %2, %cst : f32
      affine.store %3, %arg1[%arg2] : memref<48xf32>
    }
    return
  }
}
// ===== temporary_of_a_sum | mlir-opt 22 | affine-loop-fusion,affine-scalrep
module {
  func.func @temporary_of_a_sum(%arg0: memref<48xf32>, %arg1: memref<48xf32>) {
    %cst = arith.constant 2.000000e+00 : f32
    affine.for %arg2 = 0 to 48 {
      %0 = affine.load %arg0[%arg2] : memref<48xf32>
      %1 = arith.mulf %0, %cst : f32
      %2 = arith.addf %1, %cst : f32
      affine.store %2, %arg1[%arg2] : memref<48xf32>
    }
    return
  }
}
// ===== three_stages | mlir-opt 22 | affine-loop-fusion
module {
  func.func @three_stages(%arg0: memref<40xf32>, %arg1: memref<40xf32>) {
    %alloc = memref.alloc() : memref<1xf32>
    %alloc_0 = memref.alloc() : memref<1xf32>
    affine.for %arg2 = 0 to 40 {
      %0 = affine.load %arg0[%arg2] : memref<40xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %alloc[0] : memref<1xf32>
      %2 = affine.load %alloc[0] : memref<1xf32>
      %3 = arith.mulf %2, %2 : f32
      affine.store %3, %alloc_0[0] : memref<1xf32>
      %4 = affine.load %alloc_0[0] : memref<1xf32>
      %5 = affine.load %alloc[0] : memref<1xf32>
      %6 = arith.subf %4, %5 : f32
      affine.store %6, %arg1[%arg2] : memref<40xf32>
    }
    return
  }
}
// ===== three_stages | mlir-opt 22 | affine-loop-fusion,affine-scalrep
module {
  func.func @three_stages(%arg0: memref<40xf32>, %arg1: memref<40xf32>) {
    affine.for %arg2 = 0 to 40 {
      %0 = affine.load %arg0[%arg2] : memref<40xf32>
      %1 = arith.negf %0 : f32
      %2 = arith.mulf %1, %1 : f32
      %3 = arith.subf %2, %1 : f32
      affine.store %3, %arg1[%arg2] : memref<40xf32>
    }
    return
  }
}
// ===== three_stages_of_each_row | mlir-opt 22 | affine-loop-fusion
module {
  func.func @three_stages_of_each_row(%arg0: memref<?x24xf32>, %arg1: memref<?x24xf32>) {
    affine.for %arg2 = 0 to 8 {
      %alloc = memref.alloc() : memref<24xf32>
      %alloc_0 = memref.alloc() : memref<24xf32>
      affine.for %arg3 = 0 to 24 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x24xf32>
        %1 = arith.negf %0 : f32
        affine.store %1, %alloc[%arg3] : memref<24xf32>
        %2 = affine.load %alloc[%arg3] : memref<24xf32>
        %3 = arith.mulf %2, %2 : f32
        affine.store %3, %alloc_0[%arg3] : memref<24xf32>
        %4 = affine.load %alloc_0[%arg3] : memref<24xf32>
        %5 = affine.load %alloc[%arg3] : memref<24xf32>
        %6 = arith.subf %4, %5 : f32
        affine.store %6, %arg1[%arg2, %arg3] : memref<?x24xf32>
      }
    }
    return
  }
}
// ===== three_stages_of_each_row | mlir-opt 22 | affine-loop-fusion,affine-scalrep
module {
  func.func @three_stages_of_each_row(%arg0: memref<?x24xf32>, %arg1: memref<?x24xf32>) {
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 24 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x24xf32>
        %1 = arith.negf %0 : f32
        %2 = arith.mulf %1, %1 : f32
        %3 = arith.subf %2, %1 : f32
        affine.store %3, %arg1[%arg2, %arg3] : memref<?x24xf32>
      }
    }
    return
  }
}
// ===== siblings_that_read_one_array | mlir-opt 22 | affine-loop-fusion{maximal}
module {
  func.func @siblings_that_read_one_array(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>, %arg2: memref<?x16xf32>) {
    affine.for %arg3 = 0 to 8 {
      affine.for %arg4 = 0 to 16 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<?x16xf32>
        %1 = arith.addf %0, %0 : f32
        affine.store %1, %arg1[%arg3, %arg4] : memref<?x16xf32>
        %2 = affine.load %arg0[%arg3, %arg4] : memref<?x16xf32>
        %3 = arith.mulf %2, %2 : f32
        affine.store %3, %arg2[%arg3, %arg4] : memref<?x16xf32>
      }
    }
    return
  }
}
// ===== siblings_of_sums | mlir-opt 22 | affine-loop-fusion
module {
  func.func @siblings_of_sums(%arg0: memref<12x20xf32>, %arg1: memref<12xf32>, %arg2: memref<12xf32>) {
    affine.for %arg3 = 0 to 12 {
      affine.for %arg4 = 0 to 20 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<12x20xf32>
        %1 = affine.load %arg1[%arg3] : memref<12xf32>
        %2 = arith.addf %1, %0 : f32
        affine.store %2, %arg1[%arg3] : memref<12xf32>
      }
      affine.for %arg4 = 0 to 20 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<12x20xf32>
        %1 = affine.load %arg2[%arg3] : memref<12xf32>
        %2 = arith.mulf %1, %0 : f32
        affine.store %2, %arg2[%arg3] : memref<12xf32>
      }
    }
    return
  }
}
// ===== product_after_init | mlir-opt 22 | affine-loop-fusion
module {
  func.func @product_after_init(%arg0: memref<10x6xf32>, %arg1: memref<6x8xf32>, %arg2: memref<10x8xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg3 = 0 to 10 {
      affine.for %arg4 = 0 to 8 {
        affine.store %cst, %arg2[%arg3, %arg4] : memref<10x8xf32>
        affine.for %arg5 = 0 to 6 {
          %0 = affine.load %arg0[%arg3, %arg5] : memref<10x6xf32>
          %1 = affine.load %arg1[%arg5, %arg4] : memref<6x8xf32>
          %2 = affine.load %arg2[%arg3, %arg4] : memref<10x8xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg2[%arg3, %arg4] : memref<10x8xf32>
        }
      }
    }
    return
  }
}
// ===== stencil_of_a_temporary | mlir-opt 22 | affine-loop-fusion{maximal}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 3)>
#map2 = affine_map<(d0) -> (d0 + 1)>
#map3 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @stencil_of_a_temporary(%arg0: memref<34xf32>, %arg1: memref<32xf32>) {
    %alloc = memref.alloc() : memref<3xf32>
    affine.for %arg2 = 0 to 32 {
      affine.for %arg3 = #map(%arg2) to #map1(%arg2) {
        %7 = affine.load %arg0[%arg3] : memref<34xf32>
        %8 = arith.mulf %7, %7 : f32
        affine.store %8, %alloc[-%arg2 + %arg3] : memref<3xf32>
      }
      %0 = affine.load %alloc[0] : memref<3xf32>
      %1 = affine.apply #map2(%arg2)
      %2 = affine.load %alloc[1] : memref<3xf32>
      %3 = affine.apply #map3(%arg2)
      %4 = affine.load %alloc[2] : memref<3xf32>
      %5 = arith.addf %0, %2 : f32
      %6 = arith.addf %5, %4 : f32
      affine.store %6, %arg1[%arg2] : memref<32xf32>
    }
    return
  }
}
// ===== shifted_consumer | mlir-opt 22 | affine-loop-fusion
#map = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @shifted_consumer(%arg0: memref<36xf32>, %arg1: memref<36xf32>, %arg2: memref<32xf32>) {
    %alloc = memref.alloc() : memref<1xf32>
    affine.for %arg3 = 0 to 36 {
      %0 = affine.load %arg0[%arg3] : memref<36xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %arg1[%arg3] : memref<36xf32>
    }
    affine.for %arg3 = 0 to 32 {
      %0 = affine.apply #map(%arg3)
      %1 = affine.load %arg0[%0] : memref<36xf32>
      %2 = arith.mulf %1, %1 : f32
      affine.store %2, %alloc[0] : memref<1xf32>
      %3 = affine.apply #map(%arg3)
      %4 = affine.load %alloc[0] : memref<1xf32>
      %5 = arith.negf %4 : f32
      affine.store %5, %arg2[%arg3] : memref<32xf32>
    }
    return
  }
}
// ===== shifted_consumer | mlir-opt 22 | affine-loop-fusion,affine-scalrep
#map = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @shifted_consumer(%arg0: memref<36xf32>, %arg1: memref<36xf32>, %arg2: memref<32xf32>) {
    affine.for %arg3 = 0 to 36 {
      %0 = affine.load %arg0[%arg3] : memref<36xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %arg1[%arg3] : memref<36xf32>
    }
    affine.for %arg3 = 0 to 32 {
      %0 = affine.apply #map(%arg3)
      %1 = affine.load %arg0[%0] : memref<36xf32>
      %2 = arith.mulf %1, %1 : f32
      %3 = affine.apply #map(%arg3)
      %4 = arith.negf %2 : f32
      affine.store %4, %arg2[%arg3] : memref<32xf32>
    }
    return
  }
}
// ===== ends_of_rows_divide_them | mlir-opt 22 | affine-loop-fusion
module {
  func.func @ends_of_rows_divide_them(%arg0: memref<12x8xf32>, %arg1: memref<12x8xf32>) {
    %alloc = memref.alloc() : memref<1xf32>
    affine.for %arg2 = 0 to 12 {
      %0 = affine.load %arg0[%arg2, 0] : memref<12x8xf32>
      %1 = affine.load %arg0[%arg2, 7] : memref<12x8xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %alloc[0] : memref<1xf32>
      affine.for %arg3 = 0 to 8 {
        %3 = affine.load %alloc[0] : memref<1xf32>
        %4 = affine.load %arg0[%arg2, %arg3] : memref<12x8xf32>
        %5 = arith.divf %4, %3 : f32
        affine.store %5, %arg1[%arg2, %arg3] : memref<12x8xf32>
      }
    }
    return
  }
}
// ===== ends_of_rows_divide_them | mlir-opt 22 | affine-loop-fusion{maximal}
module {
  func.func @ends_of_rows_divide_them(%arg0: memref<12x8xf32>, %arg1: memref<12x8xf32>) {
    %alloc = memref.alloc() : memref<1xf32>
    affine.for %arg2 = 0 to 12 {
      affine.for %arg3 = 0 to 8 {
        %0 = affine.load %arg0[%arg2, 0] : memref<12x8xf32>
        %1 = affine.load %arg0[%arg2, 7] : memref<12x8xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %alloc[0] : memref<1xf32>
        %3 = affine.load %alloc[0] : memref<1xf32>
        %4 = affine.load %arg0[%arg2, %arg3] : memref<12x8xf32>
        %5 = arith.divf %4, %3 : f32
        affine.store %5, %arg1[%arg2, %arg3] : memref<12x8xf32>
      }
    }
    return
  }
}
// ===== ends_of_rows_divide_them | mlir-opt 22 | affine-loop-fusion,affine-scalrep
module {
  func.func @ends_of_rows_divide_them(%arg0: memref<12x8xf32>, %arg1: memref<12x8xf32>) {
    affine.for %arg2 = 0 to 12 {
      %0 = affine.load %arg0[%arg2, 0] : memref<12x8xf32>
      %1 = affine.load %arg0[%arg2, 7] : memref<12x8xf32>
      %2 = arith.addf %0, %1 : f32
      affine.for %arg3 = 0 to 8 {
        %3 = affine.load %arg0[%arg2, %arg3] : memref<12x8xf32>
        %4 = arith.divf %3, %2 : f32
        affine.store %4, %arg1[%arg2, %arg3] : memref<12x8xf32>
      }
    }
    return
  }
}
// ===== consumer_of_half | mlir-opt 22 | affine-loop-fusion
#map = affine_map<(d0) -> (d0 * 2)>
module {
  func.func @consumer_of_half(%arg0: memref<24xf32>, %arg1: memref<24xf32>, %arg2: memref<12xf32>) {
    %alloc = memref.alloc() : memref<1xf32>
    affine.for %arg3 = 0 to 24 {
      %0 = affine.load %arg0[%arg3] : memref<24xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %arg1[%arg3] : memref<24xf32>
    }
    affine.for %arg3 = 0 to 12 {
      %0 = affine.apply #map(%arg3)
      %1 = affine.load %arg0[%0] : memref<24xf32>
      %2 = arith.negf %1 : f32
      affine.store %2, %alloc[0] : memref<1xf32>
      %3 = affine.apply #map(%arg3)
      %4 = affine.load %alloc[0] : memref<1xf32>
      affine.store %4, %arg2[%arg3] : memref<12xf32>
    }
    return
  }
}
// ===== consumer_of_half | mlir-opt 22 | affine-loop-fusion,affine-scalrep
#map = affine_map<(d0) -> (d0 * 2)>
module {
  func.func @consumer_of_half(%arg0: memref<24xf32>, %arg1: memref<24xf32>, %arg2: memref<12xf32>) {
    affine.for %arg3 = 0 to 24 {
      %0 = affine.load %arg0[%arg3] : memref<24xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %arg1[%arg3] : memref<24xf32>
    }
    affine.for %arg3 = 0 to 12 {
      %0 = affine.apply #map(%arg3)
      %1 = affine.load %arg0[%0] : memref<24xf32>
      %2 = arith.negf %1 : f32
      %3 = affine.apply #map(%arg3)
      affine.store %2, %arg2[%arg3] : memref<12xf32>
    }
    return
  }
}
// ===== fused_inside_a_loop | mlir-opt 22 | affine-loop-fusion
module {
  func.func @fused_inside_a_loop(%arg0: memref<?x32xf32>, %arg1: memref<?x32xf32>) {
    affine.for %arg2 = 0 to 8 {
      %alloc = memref.alloc() : memref<32xf32>
      affine.for %arg3 = 0 to 32 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x32xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %alloc[%arg3] : memref<32xf32>
        %2 = affine.load %alloc[%arg3] : memref<32xf32>
        %3 = arith.addf %2, %2 : f32
        affine.store %3, %arg1[%arg2, %arg3] : memref<?x32xf32>
      }
    }
    return
  }
}
// ===== fused_inside_a_loop | mlir-opt 22 | affine-loop-fusion,affine-scalrep
module {
  func.func @fused_inside_a_loop(%arg0: memref<?x32xf32>, %arg1: memref<?x32xf32>) {
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 32 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x32xf32>
        %1 = arith.mulf %0, %0 : f32
        %2 = arith.addf %1, %1 : f32
        affine.store %2, %arg1[%arg2, %arg3] : memref<?x32xf32>
      }
    }
    return
  }
}
// ===== live_out_producer | mlir-opt 22 | affine-loop-fusion
module {
  func.func @live_out_producer(%arg0: memref<9x7xi32>, %arg1: memref<9x7xi32>, %arg2: memref<9x7xi32>) {
    affine.for %arg3 = 0 to 9 {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<9x7xi32>
        %1 = arith.addi %0, %0 : i32
        affine.store %1, %arg1[%arg3, %arg4] : memref<9x7xi32>
        %2 = affine.load %arg1[%arg3, %arg4] : memref<9x7xi32>
        %3 = affine.load %arg0[%arg3, 0] : memref<9x7xi32>
        %4 = arith.xori %3, %2 : i32
        affine.store %4, %arg2[%arg3, %arg4] : memref<9x7xi32>
      }
    }
    return
  }
}
// ===== live_out_producer | mlir-opt 22 | affine-loop-fusion,affine-scalrep
module {
  func.func @live_out_producer(%arg0: memref<9x7xi32>, %arg1: memref<9x7xi32>, %arg2: memref<9x7xi32>) {
    affine.for %arg3 = 0 to 9 {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<9x7xi32>
        %1 = arith.addi %0, %0 : i32
        affine.store %1, %arg1[%arg3, %arg4] : memref<9x7xi32>
        %2 = affine.load %arg0[%arg3, 0] : memref<9x7xi32>
        %3 = arith.xori %2, %1 : i32
        affine.store %3, %arg2[%arg3, %arg4] : memref<9x7xi32>
      }
    }
    return
  }
}
// ===== reads_before_the_write | mlir-opt 22 | affine-loop-fusion
module {
  func.func @reads_before_the_write(%arg0: memref<9xf32>, %arg1: memref<9xf32>, %arg2: memref<9xf32>) {
    affine.for %arg3 = 0 to 8 {
      %0 = affine.load %arg0[%arg3 + 1] : memref<9xf32>
      %1 = affine.load %arg1[%arg3] : memref<9xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %arg2[%arg3] : memref<9xf32>
      %3 = affine.load %arg2[%arg3] : memref<9xf32>
      affine.store %3, %arg0[%arg3] : memref<9xf32>
    }
    return
  }
}
// ===== reads_before_the_write | mlir-opt 22 | affine-loop-fusion,affine-scalrep
module {
  func.func @reads_before_the_write(%arg0: memref<9xf32>, %arg1: memref<9xf32>, %arg2: memref<9xf32>) {
    affine.for %arg3 = 0 to 8 {
      %0 = affine.load %arg0[%arg3 + 1] : memref<9xf32>
      %1 = affine.load %arg1[%arg3] : memref<9xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %arg2[%arg3] : memref<9xf32>
      affine.store %2, %arg0[%arg3] : memref<9xf32>
    }
    return
  }
}
// ===== reversed_consumer | mlir-opt 22 | affine-loop-fusion
#map = affine_map<(d0) -> (-d0 + 19)>
module {
  func.func @reversed_consumer(%arg0: index, %arg1: memref<?x20xf32>, %arg2: memref<?x20xf32>) {
    %alloc = memref.alloc() : memref<1xf32>
    affine.for %arg3 = 0 to 20 {
      %0 = affine.apply #map(%arg3)
      %1 = affine.load %arg1[symbol(%arg0), %0] : memref<?x20xf32>
      %2 = arith.mulf %1, %1 : f32
      affine.store %2, %alloc[0] : memref<1xf32>
      %3 = affine.apply #map(%arg3)
      %4 = affine.load %alloc[0] : memref<1xf32>
      affine.store %4, %arg2[symbol(%arg0), %arg3] : memref<?x20xf32>
    }
    return
  }
}
// ===== reversed_consumer | mlir-opt 22 | affine-loop-fusion,affine-scalrep
#map = affine_map<(d0) -> (-d0 + 19)>
module {
  func.func @reversed_consumer(%arg0: index, %arg1: memref<?x20xf32>, %arg2: memref<?x20xf32>) {
    affine.for %arg3 = 0 to 20 {
      %0 = affine.apply #map(%arg3)
      %1 = affine.load %arg1[symbol(%arg0), %0] : memref<?x20xf32>
      %2 = arith.mulf %1, %1 : f32
      %3 = affine.apply #map(%arg3)
      affine.store %2, %arg2[symbol(%arg0), %arg3] : memref<?x20xf32>
    }
    return
  }
}
// ===== rows_of_an_open_matrix | mlir-opt 22 | affine-loop-fusion
module {
  func.func @rows_of_an_open_matrix(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>) {
    %alloc = memref.alloc() : memref<1xf32>
    affine.for %arg3 = 0 to 8 {
      %0 = affine.load %arg1[symbol(%arg0), %arg3] : memref<?x8xf32>
      %1 = math.sqrt %0 : f32
      affine.store %1, %alloc[0] : memref<1xf32>
      %2 = affine.load %alloc[0] : memref<1xf32>
      %3 = arith.addf %2, %2 : f32
      affine.store %3, %arg2[symbol(%arg0), %arg3] : memref<?x8xf32>
    }
    return
  }
}
// ===== rows_of_an_open_matrix | mlir-opt 22 | affine-loop-fusion,affine-scalrep
module {
  func.func @rows_of_an_open_matrix(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>) {
    affine.for %arg3 = 0 to 8 {
      %0 = affine.load %arg1[symbol(%arg0), %arg3] : memref<?x8xf32>
      %1 = math.sqrt %0 : f32
      %2 = arith.addf %1, %1 : f32
      affine.store %2, %arg2[symbol(%arg0), %arg3] : memref<?x8xf32>
    }
    return
  }
}
// ===== transposed_consumer | mlir-opt 22 | affine-loop-fusion
module {
  func.func @transposed_consumer(%arg0: memref<?x6x9xf32>, %arg1: memref<?x9x6xf32>) {
    affine.for %arg2 = 0 to 8 {
      %alloc = memref.alloc() : memref<6x1xf32>
      affine.for %arg3 = 0 to 9 {
        affine.for %arg4 = 0 to 6 {
          %0 = affine.load %arg0[%arg2, %arg4, %arg3] : memref<?x6x9xf32>
          %1 = arith.mulf %0, %0 : f32
          affine.store %1, %alloc[%arg4, 0] : memref<6x1xf32>
          %2 = affine.load %alloc[%arg4, 0] : memref<6x1xf32>
          affine.store %2, %arg1[%arg2, %arg3, %arg4] : memref<?x9x6xf32>
        }
      }
    }
    return
  }
}
// ===== transposed_consumer | mlir-opt 22 | affine-loop-fusion,affine-scalrep
module {
  func.func @transposed_consumer(%arg0: memref<?x6x9xf32>, %arg1: memref<?x9x6xf32>) {
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 9 {
        affine.for %arg4 = 0 to 6 {
          %0 = affine.load %arg0[%arg2, %arg4, %arg3] : memref<?x6x9xf32>
          %1 = arith.mulf %0, %0 : f32
          affine.store %1, %arg1[%arg2, %arg3, %arg4] : memref<?x9x6xf32>
        }
      }
    }
    return
  }
}
