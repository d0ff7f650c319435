// ===== two_loops_become_one | mlir-opt 22 | affine-loop-coalescing
#map = affine_map<()[s0] -> (s0)>
#map1 = affine_map<(d0)[s0] -> (d0 * s0)>
#map2 = affine_map<(d0)[s0] -> (d0 mod s0)>
#map3 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
module {
  func.func @two_loops_become_one(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %0 = affine.apply #map()[%dim]
    %1 = affine.apply #map()[%dim_0]
    %2 = affine.apply #map1(%0)[%1]
    affine.for %arg2 = 0 to %2 {
      %3 = affine.apply #map2(%arg2)[%1]
      %4 = affine.apply #map3(%arg2)[%1]
      %5 = affine.load %arg0[%4, %3] : memref<?x?xf32>
      affine.store %5, %arg1[%4, %3] : memref<?x?xf32>
    }
    return
  }
}
// ===== two_loops_become_one | mlir-opt 22 | lower-affine
module {
  func.func @two_loops_become_one(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %c0_1 = arith.constant 0 : index
    %c1_2 = arith.constant 1 : index
    scf.for %arg2 = %c0_1 to %dim step %c1_2 {
      %c0_3 = arith.constant 0 : index
      %c1_4 = arith.constant 1 : index
      scf.for %arg3 = %c0_3 to %dim_0 step %c1_4 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        memref.store %0, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== two_loops_become_one | mlir-opt 22 | affine-loop-normalize,affine-loop-coalescing,canonicalize
#map = affine_map<()[s0, s1] -> (s0 * s1)>
module {
  func.func @two_loops_become_one(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to #map()[%dim_0, %dim] {
      %0 = affine.load %arg0[%arg2 floordiv symbol(%dim_0), %arg2 mod symbol(%dim_0)] : memref<?x?xf32>
      affine.store %0, %arg1[%arg2 floordiv symbol(%dim_0), %arg2 mod symbol(%dim_0)] : memref<?x?xf32>
    }
    return
  }
}
// ===== three_loops_of_fixed_length | mlir-opt 22 | affine-loop-coalescing
#map = affine_map<() -> (6)>
#map1 = affine_map<() -> (5)>
#map2 = affine_map<(d0)[s0] -> (d0 * s0)>
#map3 = affine_map<() -> (4)>
#map4 = affine_map<(d0)[s0] -> (d0 mod s0)>
#map5 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
module {
  func.func @three_loops_of_fixed_length(%arg0: memref<6x5x4xf32>, %arg1: memref<4x5x6xf32>) {
    %0 = affine.apply #map()
    %1 = affine.apply #map1()
    %2 = affine.apply #map2(%0)[%1]
    %3 = affine.apply #map3()
    %4 = affine.apply #map2(%2)[%3]
    affine.for %arg2 = 0 to %4 {
      %5 = affine.apply #map4(%arg2)[%3]
      %6 = affine.apply #map5(%arg2)[%3]
      %7 = affine.apply #map4(%6)[%1]
      %8 = affine.apply #map5(%6)[%1]
      %9 = affine.load %arg0[%8, %7, %5] : memref<6x5x4xf32>
      affine.store %9, %arg1[%5, %7, %8] : memref<4x5x6xf32>
    }
    return
  }
}
// ===== three_loops_of_fixed_length | mlir-opt 22 | lower-affine
module {
  func.func @three_loops_of_fixed_length(%arg0: memref<6x5x4xf32>, %arg1: memref<4x5x6xf32>) {
    %c0 = arith.constant 0 : index
    %c6 = arith.constant 6 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c6 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c5 = arith.constant 5 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg3 = %c0_0 to %c5 step %c1_1 {
        %c0_2 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %c1_3 = arith.constant 1 : index
        scf.for %arg4 = %c0_2 to %c4 step %c1_3 {
          %0 = memref.load %arg0[%arg2, %arg3, %arg4] : memref<6x5x4xf32>
          memref.store %0, %arg1[%arg4, %arg3, %arg2] : memref<4x5x6xf32>
        }
      }
    }
    return
  }
}
// ===== three_loops_of_fixed_length | mlir-opt 22 | affine-loop-normalize,affine-loop-coalescing,canonicalize
module {
  func.func @three_loops_of_fixed_length(%arg0: memref<6x5x4xf32>, %arg1: memref<4x5x6xf32>) {
    affine.for %arg2 = 0 to 120 {
      %0 = affine.load %arg0[(%arg2 floordiv 4) floordiv 5, (%arg2 floordiv 4) mod 5, %arg2 mod 4] : memref<6x5x4xf32>
      affine.store %0, %arg1[%arg2 mod 4, (%arg2 floordiv 4) mod 5, (%arg2 floordiv 4) floordiv 5] : memref<4x5x6xf32>
    }
    return
  }
}
// ===== inner_loop_of_fixed_length | mlir-opt 22 | affine-loop-coalescing
#map = affine_map<()[s0] -> (s0)>
#map1 = affine_map<() -> (6)>
#map2 = affine_map<(d0)[s0] -> (d0 * s0)>
#map3 = affine_map<(d0)[s0] -> (d0 mod s0)>
#map4 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
module {
  func.func @inner_loop_of_fixed_length(%arg0: index, %arg1: memref<?x6xf32>, %arg2: memref<?x6xf32>) {
    %0 = affine.apply #map()[%arg0]
    %1 = affine.apply #map1()
    %2 = affine.apply #map2(%0)[%1]
    affine.for %arg3 = 0 to %2 {
      %3 = affine.apply #map3(%arg3)[%1]
      %4 = affine.apply #map4(%arg3)[%1]
      %5 = affine.load %arg1[%4, %3] : memref<?x6xf32>
      %6 = arith.addf %5, %5 : f32
      affine.store %6, %arg2[%4, %3] : memref<?x6xf32>
    }
    return
  }
}
// ===== inner_loop_of_fixed_length | mlir-opt 22 | lower-affine
module {
  func.func @inner_loop_of_fixed_length(%arg0: index, %arg1: memref<?x6xf32>, %arg2: memref<?x6xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c6 = arith.constant 6 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg4 = %c0_0 to %c6 step %c1_1 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x6xf32>
        %1 = arith.addf %0, %0 : f32
        memref.store %1, %arg2[%arg3, %arg4] : memref<?x6xf32>
      }
    }
    return
  }
}
// ===== inner_loop_of_fixed_length | mlir-opt 22 | affine-loop-normalize,affine-loop-coalescing,canonicalize
#map = affine_map<()[s0] -> (s0 * 6)>
module {
  func.func @inner_loop_of_fixed_length(%arg0: index, %arg1: memref<?x6xf32>, %arg2: memref<?x6xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] {
      %0 = affine.load %arg1[%arg3 floordiv 6, %arg3 mod 6] : memref<?x6xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %arg2[%arg3 floordiv 6, %arg3 mod 6] : memref<?x6xf32>
    }
    return
  }
}
// ===== lower_bounds_and_steps | mlir-opt 22 | affine-loop-normalize
#map = affine_map<()[s0] -> ((s0 - 2) ceildiv 3)>
#map1 = affine_map<(d0) -> (d0 * 3 + 2)>
#map2 = affine_map<(d0) -> (d0 * 5 + 4)>
module {
  func.func @lower_bounds_and_steps(%arg0: index, %arg1: memref<?x40xf32>, %arg2: memref<?x40xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] {
      %0 = affine.apply #map1(%arg3)
      affine.for %arg4 = 0 to 7 {
        %1 = affine.apply #map2(%arg4)
        %2 = affine.load %arg1[%0, %1] : memref<?x40xf32>
        affine.store %2, %arg2[%0 - 2, %1 - 4] : memref<?x40xf32>
      }
    }
    return
  }
}
// ===== lower_bounds_and_steps | mlir-opt 22 | lower-affine
module {
  func.func @lower_bounds_and_steps(%arg0: index, %arg1: memref<?x40xf32>, %arg2: memref<?x40xf32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    scf.for %arg3 = %c2 to %arg0 step %c3 {
      %c4 = arith.constant 4 : index
      %c38 = arith.constant 38 : index
      %c5 = arith.constant 5 : index
      scf.for %arg4 = %c4 to %c38 step %c5 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x40xf32>
        %c-2 = arith.constant -2 : index
        %1 = arith.addi %arg3, %c-2 : index
        %c-4 = arith.constant -4 : index
        %2 = arith.addi %arg4, %c-4 : index
        memref.store %0, %arg2[%1, %2] : memref<?x40xf32>
      }
    }
    return
  }
}
// ===== lower_bounds_and_steps | mlir-opt 22 | affine-loop-normalize,affine-loop-coalescing,canonicalize
#map = affine_map<()[s0] -> ((s0 - 2) ceildiv 3)>
module {
  func.func @lower_bounds_and_steps(%arg0: index, %arg1: memref<?x40xf32>, %arg2: memref<?x40xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg1[%arg3 * 3 + 2, %arg4 * 5 + 4] : memref<?x40xf32>
        affine.store %0, %arg2[%arg3 * 3, %arg4 * 5] : memref<?x40xf32>
      }
    }
    return
  }
}
// ===== bounds_from_maps | mlir-opt 22 | lower-affine
module {
  func.func @bounds_from_maps(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c-3 = arith.constant -3 : index
    %0 = arith.addi %arg1, %c-3 : index
    %c0 = arith.constant 0 : index
    %1 = arith.maxsi %0, %c0 : index
    %c100 = arith.constant 100 : index
    %2 = arith.minsi %arg0, %c100 : index
    %c1 = arith.constant 1 : index
    scf.for %arg4 = %1 to %2 step %c1 {
      %3 = memref.load %arg2[%arg4] : memref<?xf32>
      memref.store %3, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== single_iteration | mlir-opt 22 | affine-loop-normalize
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @single_iteration(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 1 {
        %0 = affine.apply #map(%arg4)
        %1 = affine.load %arg1[%arg3, %0] : memref<?x8xf32>
        affine.store %1, %arg2[%arg3, %0 + 1] : memref<?x8xf32>
      }
    }
    return
  }
}
// ===== single_iteration | mlir-opt 22 | affine-loop-normalize{promote-single-iter}
module {
  func.func @single_iteration(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>) {
    %c3 = arith.constant 3 : index
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3, %c3] : memref<?x8xf32>
      affine.store %0, %arg2[%arg3, %c3 + 1] : memref<?x8xf32>
    }
    return
  }
}
// ===== single_iteration | mlir-opt 22 | lower-affine
module {
  func.func @single_iteration(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c1_0 = arith.constant 1 : index
      scf.for %arg4 = %c3 to %c4 step %c1_0 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x8xf32>
        %c1_1 = arith.constant 1 : index
        %1 = arith.addi %arg4, %c1_1 : index
        memref.store %0, %arg2[%arg3, %1] : memref<?x8xf32>
      }
    }
    return
  }
}
// ===== single_iteration | mlir-opt 22 | affine-loop-normalize,affine-loop-coalescing,canonicalize
module {
  func.func @single_iteration(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3, 3] : memref<?x8xf32>
      affine.store %0, %arg2[%arg3, 4] : memref<?x8xf32>
    }
    return
  }
}
// ===== parallel_with_steps | mlir-opt 22 | affine-loop-normalize
#map = affine_map<(d0) -> (d0 * 2 + 1)>
#map1 = affine_map<(d0) -> (d0 * 12 + 10)>
module {
  func.func @parallel_with_steps(%arg0: index, %arg1: memref<?x60xf32>, %arg2: memref<?x60xf32>) {
    affine.parallel (%arg3, %arg4) = (0, 0) to ((symbol(%arg0) - 1) ceildiv 2, 4) {
      %0 = affine.apply #map(%arg3)
      %1 = affine.apply #map1(%arg4)
      %2 = affine.load %arg1[%0, %1] : memref<?x60xf32>
      %3 = arith.negf %2 : f32
      affine.store %3, %arg2[%0, %1] : memref<?x60xf32>
    }
    return
  }
}
// ===== parallel_with_steps | mlir-opt 22 | lower-affine
module {
  func.func @parallel_with_steps(%arg0: index, %arg1: memref<?x60xf32>, %arg2: memref<?x60xf32>) {
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %c58 = arith.constant 58 : index
    %c2 = arith.constant 2 : index
    %c12 = arith.constant 12 : index
    scf.parallel (%arg3, %arg4) = (%c1, %c10) to (%arg0, %c58) step (%c2, %c12) {
      %0 = memref.load %arg1[%arg3, %arg4] : memref<?x60xf32>
      %1 = arith.negf %0 : f32
      memref.store %1, %arg2[%arg3, %arg4] : memref<?x60xf32>
      scf.reduce 
    }
    return
  }
}
// ===== parallel_with_steps | mlir-opt 22 | affine-loop-normalize,affine-loop-coalescing,canonicalize
module {
  func.func @parallel_with_steps(%arg0: index, %arg1: memref<?x60xf32>, %arg2: memref<?x60xf32>) {
    affine.parallel (%arg3, %arg4) = (0, 0) to ((symbol(%arg0) - 1) ceildiv 2, 4) {
      %0 = affine.load %arg1[%arg3 * 2 + 1, %arg4 * 12 + 10] : memref<?x60xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %arg2[%arg3 * 2 + 1, %arg4 * 12 + 10] : memref<?x60xf32>
    }
    return
  }
}
// ===== composed_applies | mlir-opt 22 | affine-simplify-structures
#map = affine_map<(d0) -> (d0 * 2 + 1)>
module {
  func.func @composed_applies(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim {
      %0 = affine.apply #map(%arg2)
      %1 = memref.load %arg0[%0] : memref<?xf32>
      memref.store %1, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== composed_applies | mlir-opt 22 | lower-affine
module {
  func.func @composed_applies(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0_0 to %dim step %c1 {
      %c4 = arith.constant 4 : index
      %0 = arith.muli %arg2, %c4 overflow<nsw> : index
      %c3 = arith.constant 3 : index
      %1 = arith.addi %0, %c3 : index
      %c2 = arith.constant 2 : index
      %c0_1 = arith.constant 0 : index
      %c-1 = arith.constant -1 : index
      %2 = arith.cmpi slt, %1, %c0_1 : index
      %3 = arith.subi %c-1, %1 : index
      %4 = arith.select %2, %3, %1 : index
      %5 = arith.divsi %4, %c2 : index
      %6 = arith.subi %c-1, %5 : index
      %7 = arith.select %2, %6, %5 : index
      %8 = memref.load %arg0[%7] : memref<?xf32>
      memref.store %8, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== min_and_max_of_applies | mlir-opt 22 | canonicalize
#map = affine_map<(d0)[s0] -> (s0 - 1, d0 + 1)>
#map1 = affine_map<(d0)[s0] -> (0, s0 - 1, d0)>
module {
  func.func @min_and_max_of_applies(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim {
      %0 = affine.min #map(%arg2)[%dim]
      %1 = affine.max #map1(%0)[%dim]
      %2 = memref.load %arg0[%0] : memref<?xf32>
      %3 = memref.load %arg0[%1] : memref<?xf32>
      %4 = arith.subf %2, %3 : f32
      affine.store %4, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== min_and_max_of_applies | mlir-opt 22 | lower-affine
module {
  func.func @min_and_max_of_applies(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0_0 to %dim step %c1 {
      %c1_1 = arith.constant 1 : index
      %0 = arith.addi %arg2, %c1_1 : index
      %c-1 = arith.constant -1 : index
      %1 = arith.addi %dim, %c-1 : index
      %2 = arith.minsi %0, %1 : index
      %c-1_2 = arith.constant -1 : index
      %3 = arith.addi %dim, %c-1_2 : index
      %c0_3 = arith.constant 0 : index
      %4 = arith.maxsi %2, %3 : index
      %5 = arith.maxsi %4, %c0_3 : index
      %6 = memref.load %arg0[%2] : memref<?xf32>
      %7 = memref.load %arg0[%5] : memref<?xf32>
      %8 = arith.subf %6, %7 : f32
      memref.store %8, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== min_and_max_of_applies | iree-opt 24 | affine-simplify-min-max
#map = affine_map<(d0)[s0] -> (s0 - 1, d0 + 1)>
#map1 = affine_map<()[s0, s1] -> (s1 - 1, s0)>
module {
  func.func @min_and_max_of_applies(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim {
      %0 = affine.min #map(%arg2)[%dim]
      %1 = affine.max #map1()[%0, %dim]
      %2 = memref.load %arg0[%0] : memref<?xf32>
      %3 = memref.load %arg0[%1] : memref<?xf32>
      %4 = arith.subf %2, %3 : f32
      affine.store %4, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== condition_that_always_holds | mlir-opt 22 | lower-affine
module {
  func.func @condition_that_always_holds(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c0_0 = arith.constant 0 : index
      %0 = arith.cmpi sge, %arg3, %c0_0 : index
      %c-1 = arith.constant -1 : index
      %1 = arith.muli %arg3, %c-1 overflow<nsw> : index
      %2 = arith.addi %1, %arg0 : index
      %c-1_1 = arith.constant -1 : index
      %3 = arith.addi %2, %c-1_1 : index
      %4 = arith.cmpi sge, %3, %c0_0 : index
      %5 = arith.andi %0, %4 : i1
      scf.if %5 {
        %6 = memref.load %arg1[%arg3] : memref<?xf32>
        memref.store %6, %arg2[%arg3] : memref<?xf32>
      } else {
        %c0_2 = arith.constant 0 : index
        %6 = memref.load %arg2[%c0_2] : memref<?xf32>
        %c0_3 = arith.constant 0 : index
        memref.store %6, %arg1[%c0_3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== condition_of_two_sides | mlir-opt 22 | affine-simplify-structures
#set = affine_set<(d0) : (d0 mod 2 - 1 == 0, -d0 + (d0 floordiv 2) * 2 + 1 >= 0, d0 mod 2 >= 0)>
module {
  func.func @condition_of_two_sides(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c1_i32 = arith.constant 1 : i32
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.if #set(%arg3) -> i32 {
        %1 = affine.load %arg1[%arg3] : memref<?xi32>
        affine.yield %1 : i32
      } else {
        affine.yield %c1_i32 : i32
      }
      affine.store %0, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== condition_of_two_sides | mlir-opt 22 | lower-affine
module {
  func.func @condition_of_two_sides(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c1_i32 = arith.constant 1 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %0 = arith.remsi %arg3, %c2 : index
      %c0_1 = arith.constant 0 : index
      %1 = arith.cmpi slt, %0, %c0_1 : index
      %2 = arith.addi %0, %c2 : index
      %3 = arith.select %1, %2, %0 : index
      %c-1 = arith.constant -1 : index
      %4 = arith.addi %3, %c-1 : index
      %5 = arith.cmpi eq, %4, %c0_0 : index
      %6 = scf.if %5 -> (i32) {
        %7 = memref.load %arg1[%arg3] : memref<?xi32>
        scf.yield %7 : i32
      } else {
        scf.yield %c1_i32 : i32
      }
      memref.store %6, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== divisions_in_subscripts | mlir-opt 22 | lower-affine
module {
  func.func @divisions_in_subscripts(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c4 = arith.constant 4 : index
      %c0_0 = arith.constant 0 : index
      %c-1 = arith.constant -1 : index
      %0 = arith.cmpi slt, %arg3, %c0_0 : index
      %1 = arith.subi %c-1, %arg3 : index
      %2 = arith.select %0, %1, %arg3 : index
      %3 = arith.divsi %2, %c4 : index
      %4 = arith.subi %c-1, %3 : index
      %5 = arith.select %0, %4, %3 : index
      %c4_1 = arith.constant 4 : index
      %6 = arith.remsi %arg3, %c4_1 : index
      %c0_2 = arith.constant 0 : index
      %7 = arith.cmpi slt, %6, %c0_2 : index
      %8 = arith.addi %6, %c4_1 : index
      %9 = arith.select %7, %8, %6 : index
      %10 = memref.load %arg1[%5, %9] : memref<?x4xf32>
      memref.store %10, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== rounded_up_bound | mlir-opt 22 | lower-affine
module {
  func.func @rounded_up_bound(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = arith.cmpi sle, %arg0, %c0_0 : index
    %1 = arith.subi %c0_0, %arg0 : index
    %2 = arith.subi %arg0, %c1 : index
    %3 = arith.select %0, %1, %2 : index
    %4 = arith.divsi %3, %c4 : index
    %5 = arith.subi %c0_0, %4 : index
    %6 = arith.addi %4, %c1 : index
    %7 = arith.select %0, %5, %6 : index
    %c1_1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %7 step %c1_1 {
      %c0_2 = arith.constant 0 : index
      %c4_3 = arith.constant 4 : index
      %c-4 = arith.constant -4 : index
      %8 = arith.muli %arg3, %c-4 overflow<nsw> : index
      %9 = arith.addi %8, %arg0 : index
      %10 = arith.minsi %c4_3, %9 : index
      %c1_4 = arith.constant 1 : index
      scf.for %arg4 = %c0_2 to %10 step %c1_4 {
        %c4_5 = arith.constant 4 : index
        %11 = arith.muli %arg3, %c4_5 overflow<nsw> : index
        %12 = arith.addi %11, %arg4 : index
        %13 = memref.load %arg1[%12] : memref<?xf32>
        %c4_6 = arith.constant 4 : index
        %14 = arith.muli %arg3, %c4_6 overflow<nsw> : index
        %15 = arith.addi %14, %arg4 : index
        memref.store %13, %arg2[%15] : memref<?xf32>
      }
    }
    return
  }
}
// ===== empty_loop_is_dropped | mlir-opt 22 | affine-loop-normalize
#map = affine_map<(d0) -> (d0 + 5)>
module {
  func.func @empty_loop_is_dropped(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 0 {
        %1 = affine.apply #map(%arg4)
        affine.store %cst, %arg1[%1] : memref<?xf32>
      }
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      affine.for %arg4 = 0 to 9 {
      }
      affine.store %0, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== empty_loop_is_dropped | mlir-opt 22 | affine-simplify-structures
module {
  func.func @empty_loop_is_dropped(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 5 to 5 {
        affine.store %cst, %arg1[%arg4] : memref<?xf32>
      }
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      affine.store %0, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== empty_loop_is_dropped | mlir-opt 22 | lower-affine
module {
  func.func @empty_loop_is_dropped(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c5 = arith.constant 5 : index
      %c5_0 = arith.constant 5 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg4 = %c5 to %c5_0 step %c1_1 {
        memref.store %cst, %arg1[%arg4] : memref<?xf32>
      }
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %c0_2 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      %c1_3 = arith.constant 1 : index
      scf.for %arg4 = %c0_2 to %c9 step %c1_3 {
      }
      memref.store %0, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== empty_loop_is_dropped | mlir-opt 22 | affine-loop-normalize,affine-loop-coalescing,canonicalize
module {
  func.func @empty_loop_is_dropped(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 0 {
        affine.store %cst, %arg1[%arg4 + 5] : memref<?xf32>
      }
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      affine.store %0, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== carried_value_that_is_passed_on | mlir-opt 22 | lower-affine
module {
  func.func @carried_value_that_is_passed_on(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<2xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0:2 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %cst, %arg5 = %cst_0) -> (f32, f32) {
      %1 = memref.load %arg1[%arg3] : memref<?xf32>
      %2 = arith.mulf %1, %arg5 : f32
      %3 = arith.addf %arg4, %2 : f32
      scf.yield %3, %arg5 : f32, f32
    }
    %c0_1 = arith.constant 0 : index
    memref.store %0#0, %arg2[%c0_1] : memref<2xf32>
    %c1_2 = arith.constant 1 : index
    memref.store %0#1, %arg2[%c1_2] : memref<2xf32>
    return
  }
}
// ===== linear_index_is_split | mlir-opt 22 | lower-affine
module {
  func.func @linear_index_is_split(%arg0: index, %arg1: memref<?x3x5xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c15 = arith.constant 15 : index
    %0 = arith.muli %arg0, %c15 overflow<nsw> : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %0 step %c1 {
      %c5 = arith.constant 5 : index
      %c15_0 = arith.constant 15 : index
      %c0_1 = arith.constant 0 : index
      %1 = arith.floordivsi %arg3, %c15_0 : index
      %2 = arith.remsi %arg3, %c15_0 : index
      %3 = arith.cmpi slt, %2, %c0_1 : index
      %4 = arith.addi %2, %c15_0 overflow<nsw> : index
      %5 = arith.select %3, %4, %2 : index
      %6 = arith.divsi %5, %c5 : index
      %7 = arith.remsi %arg3, %c5 : index
      %8 = arith.cmpi slt, %7, %c0_1 : index
      %9 = arith.addi %7, %c5 overflow<nsw> : index
      %10 = arith.select %8, %9, %7 : index
      %11 = memref.load %arg1[%1, %6, %10] : memref<?x3x5xf32>
      memref.store %11, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== linear_index_is_split | mlir-opt 22 | affine-expand-index-ops
#map = affine_map<()[s0] -> (s0 * 15)>
module {
  func.func @linear_index_is_split(%arg0: index, %arg1: memref<?x3x5xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c15 = arith.constant 15 : index
    %c5 = arith.constant 5 : index
    affine.for %arg3 = 0 to #map()[%arg0] {
      %0 = arith.floordivsi %arg3, %c15 : index
      %1 = arith.remsi %arg3, %c15 : index
      %2 = arith.cmpi slt, %1, %c0 : index
      %3 = arith.addi %1, %c15 overflow<nsw> : index
      %4 = arith.select %2, %3, %1 : index
      %5 = arith.divsi %4, %c5 : index
      %6 = arith.remsi %arg3, %c5 : index
      %7 = arith.cmpi slt, %6, %c0 : index
      %8 = arith.addi %6, %c5 overflow<nsw> : index
      %9 = arith.select %7, %8, %6 : index
      %10 = memref.load %arg1[%0, %5, %9] : memref<?x3x5xf32>
      affine.store %10, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== linear_index_is_split | mlir-opt 22 | affine-expand-index-ops-as-affine
#map = affine_map<()[s0] -> (s0 * 15)>
#map1 = affine_map<(d0) -> (d0 floordiv 15)>
#map2 = affine_map<(d0) -> ((d0 mod 15) floordiv 5)>
#map3 = affine_map<(d0) -> (d0 mod 5)>
module {
  func.func @linear_index_is_split(%arg0: index, %arg1: memref<?x3x5xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] {
      %0 = affine.apply #map1(%arg3)
      %1 = affine.apply #map2(%arg3)
      %2 = affine.apply #map3(%arg3)
      %3 = memref.load %arg1[%0, %1, %2] : memref<?x3x5xf32>
      affine.store %3, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== linear_index_is_built | mlir-opt 22 | affine-loop-coalescing
#map = affine_map<()[s0] -> (s0)>
#map1 = affine_map<() -> (3)>
#map2 = affine_map<(d0)[s0] -> (d0 * s0)>
#map3 = affine_map<() -> (5)>
#map4 = affine_map<(d0)[s0] -> (d0 mod s0)>
#map5 = affine_map<(d0)[s0] -> (d0 floordiv s0)>
module {
  func.func @linear_index_is_built(%arg0: index, %arg1: memref<?x3x5xf32>, %arg2: memref<?xf32>) {
    %0 = affine.apply #map()[%arg0]
    %1 = affine.apply #map1()
    %2 = affine.apply #map2(%0)[%1]
    %3 = affine.apply #map3()
    %4 = affine.apply #map2(%2)[%3]
    affine.for %arg3 = 0 to %4 {
      %5 = affine.apply #map4(%arg3)[%3]
      %6 = affine.apply #map5(%arg3)[%3]
      %7 = affine.apply #map4(%6)[%1]
      %8 = affine.apply #map5(%6)[%1]
      %9 = affine.load %arg1[%8, %7, %5] : memref<?x3x5xf32>
      %10 = affine.linearize_index [%8, %7, %5] by (%arg0, 3, 5) : index
      memref.store %9, %arg2[%10] : memref<?xf32>
    }
    return
  }
}
// ===== linear_index_is_built | mlir-opt 22 | lower-affine
module {
  func.func @linear_index_is_built(%arg0: index, %arg1: memref<?x3x5xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg4 = %c0_0 to %c3 step %c1_1 {
        %c0_2 = arith.constant 0 : index
        %c5 = arith.constant 5 : index
        %c1_3 = arith.constant 1 : index
        scf.for %arg5 = %c0_2 to %c5 step %c1_3 {
          %0 = memref.load %arg1[%arg3, %arg4, %arg5] : memref<?x3x5xf32>
          %c5_4 = arith.constant 5 : index
          %c15 = arith.constant 15 : index
          %1 = arith.muli %arg3, %c15 overflow<nsw> : index
          %2 = arith.muli %arg4, %c5_4 overflow<nsw> : index
          %3 = arith.addi %1, %2 overflow<nsw> : index
          %4 = arith.addi %3, %arg5 overflow<nsw> : index
          memref.store %0, %arg2[%4] : memref<?xf32>
        }
      }
    }
    return
  }
}
// ===== linear_index_is_built | mlir-opt 22 | affine-loop-normalize,affine-loop-coalescing,canonicalize
#map = affine_map<()[s0] -> (s0 * 15)>
#map1 = affine_map<(d0) -> (d0 mod 5)>
#map2 = affine_map<(d0) -> ((d0 floordiv 5) mod 3)>
#map3 = affine_map<(d0) -> ((d0 floordiv 5) floordiv 3)>
module {
  func.func @linear_index_is_built(%arg0: index, %arg1: memref<?x3x5xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] {
      %0 = affine.apply #map1(%arg3)
      %1 = affine.apply #map2(%arg3)
      %2 = affine.apply #map3(%arg3)
      %3 = affine.load %arg1[(%arg3 floordiv 5) floordiv 3, (%arg3 floordiv 5) mod 3, %arg3 mod 5] : memref<?x3x5xf32>
      %4 = affine.linearize_index [%2, %1, %0] by (%arg0, 3, 5) : index
      memref.store %3, %arg2[%4] : memref<?xf32>
    }
    return
  }
}
// ===== linear_index_is_built | mlir-opt 22 | affine-expand-index-ops
module {
  func.func @linear_index_is_built(%arg0: index, %arg1: memref<?x3x5xf32>, %arg2: memref<?xf32>) {
    %c15 = arith.constant 15 : index
    %c5 = arith.constant 5 : index
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 3 {
        affine.for %arg5 = 0 to 5 {
          %0 = affine.load %arg1[%arg3, %arg4, %arg5] : memref<?x3x5xf32>
          %1 = arith.muli %arg3, %c15 overflow<nsw> : index
          %2 = arith.muli %arg4, %c5 overflow<nsw> : index
          %3 = arith.addi %1, %2 overflow<nsw> : index
          %4 = arith.addi %3, %arg5 overflow<nsw> : index
          memref.store %0, %arg2[%4] : memref<?xf32>
        }
      }
    }
    return
  }
}
// ===== linear_index_is_built | mlir-opt 22 | affine-expand-index-ops-as-affine
#map = affine_map<(d0, d1, d2) -> (d0 * 15 + d1 * 5 + d2)>
module {
  func.func @linear_index_is_built(%arg0: index, %arg1: memref<?x3x5xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 3 {
        affine.for %arg5 = 0 to 5 {
          %0 = affine.load %arg1[%arg3, %arg4, %arg5] : memref<?x3x5xf32>
          %1 = affine.apply #map(%arg3, %arg4, %arg5)
          memref.store %0, %arg2[%1] : memref<?xf32>
        }
      }
    }
    return
  }
}
