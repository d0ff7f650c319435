// ===== two_pointwise_loops | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @two_pointwise_loops(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = arith.muli %c1, %c4 : index
    scf.parallel (%arg3) = (%c0) to (%dim) step (%0) {
      %2 = affine.min #map(%0, %dim, %arg3)
      scf.parallel (%arg4) = (%c0_0) to (%2) step (%c1) {
        %3 = arith.addi %arg4, %arg3 : index
        %4 = memref.load %arg0[%3] : memref<?xf32>
        %5 = arith.addf %4, %4 : f32
        memref.store %5, %arg1[%3] : memref<?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %1 = arith.muli %c1, %c4_2 : index
    scf.parallel (%arg3) = (%c0) to (%dim) step (%1) {
      %2 = affine.min #map(%1, %dim, %arg3)
      scf.parallel (%arg4) = (%c0_1) to (%2) step (%c1) {
        %3 = arith.addi %arg4, %arg3 : index
        %4 = memref.load %arg1[%3] : memref<?xf32>
        %5 = arith.mulf %4, %4 : f32
        memref.store %5, %arg2[%3] : memref<?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== two_pointwise_loops | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @two_pointwise_loops(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = arith.muli %c1, %c4 : index
    scf.parallel (%arg3) = (%c0) to (%dim) step (%0) {
      scf.parallel (%arg4) = (%c0_0) to (%0) step (%c1) {
        %2 = arith.addi %arg4, %arg3 : index
        %true = arith.constant true
        %3 = arith.muli %arg4, %c1 : index
        %4 = arith.addi %3, %arg3 : index
        %5 = arith.cmpi ult, %4, %dim : index
        %6 = arith.andi %true, %5 : i1
        scf.if %6 {
          %7 = memref.load %arg0[%2] : memref<?xf32>
          %8 = arith.addf %7, %7 : f32
          memref.store %8, %arg1[%2] : memref<?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %1 = arith.muli %c1, %c4_2 : index
    scf.parallel (%arg3) = (%c0) to (%dim) step (%1) {
      scf.parallel (%arg4) = (%c0_1) to (%1) step (%c1) {
        %2 = arith.addi %arg4, %arg3 : index
        %true = arith.constant true
        %3 = arith.muli %arg4, %c1 : index
        %4 = arith.addi %3, %arg3 : index
        %5 = arith.cmpi ult, %4, %dim : index
        %6 = arith.andi %true, %5 : i1
        scf.if %6 {
          %7 = memref.load %arg1[%2] : memref<?xf32>
          %8 = arith.mulf %7, %7 : f32
          memref.store %8, %arg2[%2] : memref<?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== two_pointwise_loops | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @two_pointwise_loops(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      %0 = memref.load %arg0[%arg3] : memref<?xf32>
      %1 = arith.addf %0, %0 : f32
      memref.store %1, %arg1[%arg3] : memref<?xf32>
    }
    scf.for %arg3 = %c0 to %dim step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== two_pointwise_loops | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
#map = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
module {
  func.func @two_pointwise_loops(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    scf.parallel (%arg3) = (%c0) to (%dim) step (%c3) {
      %0 = affine.min #map(%arg3)[%dim]
      scf.parallel (%arg4) = (%c0) to (%0) step (%c1) {
        %1 = arith.addi %arg4, %arg3 : index
        %2 = memref.load %arg0[%1] : memref<?xf32>
        %3 = arith.addf %2, %2 : f32
        memref.store %3, %arg1[%1] : memref<?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    scf.parallel (%arg3) = (%c0) to (%dim) step (%c3) {
      %0 = affine.min #map(%arg3)[%dim]
      scf.parallel (%arg4) = (%c0) to (%0) step (%c1) {
        %1 = arith.addi %arg4, %arg3 : index
        %2 = memref.load %arg1[%1] : memref<?xf32>
        %3 = arith.mulf %2, %2 : f32
        memref.store %3, %arg2[%1] : memref<?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== two_pointwise_loops | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @two_pointwise_loops(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = arith.muli %c1, %c4 : index
    scf.parallel (%arg3) = (%c0) to (%dim) step (%0) {
      scf.parallel (%arg4) = (%c0_0) to (%0) step (%c1) {
        %2 = arith.addi %arg4, %arg3 : index
        %true = arith.constant true
        %3 = arith.muli %arg4, %c1 : index
        %4 = arith.addi %3, %arg3 : index
        %5 = arith.cmpi slt, %4, %dim : index
        %6 = arith.andi %true, %5 : i1
        scf.if %6 {
          %7 = memref.load %arg0[%2] : memref<?xf32>
          %8 = arith.addf %7, %7 : f32
          memref.store %8, %arg1[%2] : memref<?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %1 = arith.muli %c1, %c4_2 : index
    scf.parallel (%arg3) = (%c0) to (%dim) step (%1) {
      scf.parallel (%arg4) = (%c0_1) to (%1) step (%c1) {
        %2 = arith.addi %arg4, %arg3 : index
        %true = arith.constant true
        %3 = arith.muli %arg4, %c1 : index
        %4 = arith.addi %3, %arg3 : index
        %5 = arith.cmpi slt, %4, %dim : index
        %6 = arith.andi %true, %5 : i1
        scf.if %6 {
          %7 = memref.load %arg1[%2] : memref<?xf32>
          %8 = arith.mulf %7, %7 : f32
          memref.store %8, %arg2[%2] : memref<?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== matrices_in_two_loops | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @matrices_in_two_loops(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%0, %1) {
      %4 = affine.min #map(%0, %arg0, %arg4)
      %5 = affine.min #map(%1, %arg1, %arg5)
      scf.parallel (%arg6, %arg7) = (%c0_0, %c0_0) to (%4, %5) step (%c1, %c1) {
        %6 = arith.addi %arg6, %arg4 : index
        %7 = arith.addi %arg7, %arg5 : index
        %8 = memref.load %arg2[%6, %7] : memref<?x?xf32>
        %9 = arith.negf %8 : f32
        memref.store %9, %alloc[%6, %7] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %c8_3 = arith.constant 8 : index
    %2 = arith.muli %c1, %c4_2 : index
    %3 = arith.muli %c1, %c8_3 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%2, %3) {
      %4 = affine.min #map(%2, %arg0, %arg4)
      %5 = affine.min #map(%3, %arg1, %arg5)
      scf.parallel (%arg6, %arg7) = (%c0_1, %c0_1) to (%4, %5) step (%c1, %c1) {
        %6 = arith.addi %arg6, %arg4 : index
        %7 = arith.addi %arg7, %arg5 : index
        %8 = memref.load %alloc[%6, %7] : memref<?x?xf32>
        %9 = arith.mulf %8, %8 : f32
        memref.store %9, %arg3[%6, %7] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    memref.dealloc %alloc : memref<?x?xf32>
    return
  }
}
// ===== matrices_in_two_loops | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @matrices_in_two_loops(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%0, %1) {
      scf.parallel (%arg6, %arg7) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c1) {
        %4 = arith.addi %arg6, %arg4 : index
        %5 = arith.addi %arg7, %arg5 : index
        %true = arith.constant true
        %6 = arith.muli %arg6, %c1 : index
        %7 = arith.addi %6, %arg4 : index
        %8 = arith.cmpi ult, %7, %arg0 : index
        %9 = arith.andi %true, %8 : i1
        %10 = arith.muli %arg7, %c1 : index
        %11 = arith.addi %10, %arg5 : index
        %12 = arith.cmpi ult, %11, %arg1 : index
        %13 = arith.andi %9, %12 : i1
        scf.if %13 {
          %14 = memref.load %arg2[%4, %5] : memref<?x?xf32>
          %15 = arith.negf %14 : f32
          memref.store %15, %alloc[%4, %5] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %c8_3 = arith.constant 8 : index
    %2 = arith.muli %c1, %c4_2 : index
    %3 = arith.muli %c1, %c8_3 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%2, %3) {
      scf.parallel (%arg6, %arg7) = (%c0_1, %c0_1) to (%2, %3) step (%c1, %c1) {
        %4 = arith.addi %arg6, %arg4 : index
        %5 = arith.addi %arg7, %arg5 : index
        %true = arith.constant true
        %6 = arith.muli %arg6, %c1 : index
        %7 = arith.addi %6, %arg4 : index
        %8 = arith.cmpi ult, %7, %arg0 : index
        %9 = arith.andi %true, %8 : i1
        %10 = arith.muli %arg7, %c1 : index
        %11 = arith.addi %10, %arg5 : index
        %12 = arith.cmpi ult, %11, %arg1 : index
        %13 = arith.andi %9, %12 : i1
        scf.if %13 {
          %14 = memref.load %alloc[%4, %5] : memref<?x?xf32>
          %15 = arith.mulf %14, %14 : f32
          memref.store %15, %arg3[%4, %5] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    memref.dealloc %alloc : memref<?x?xf32>
    return
  }
}
// ===== matrices_in_two_loops | mlir-opt 22 | test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
module {
  func.func @matrices_in_two_loops(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %c1_1 = arith.constant 1 : index
    %c1_2 = arith.constant 1 : index
    %0 = arith.muli %c1_2, %arg0 : index
    %1 = arith.muli %0, %arg1 : index
    scf.parallel (%arg4) = (%c0_0) to (%1) step (%c1_1) {
      %4 = arith.remsi %arg4, %arg1 : index
      %5 = arith.divsi %arg4, %arg1 : index
      %6 = memref.load %arg2[%5, %4] : memref<?x?xf32>
      %7 = arith.negf %6 : f32
      memref.store %7, %alloc[%5, %4] : memref<?x?xf32>
      scf.reduce 
    }
    %c0_3 = arith.constant 0 : index
    %c1_4 = arith.constant 1 : index
    %c1_5 = arith.constant 1 : index
    %2 = arith.muli %c1_5, %arg0 : index
    %3 = arith.muli %2, %arg1 : index
    scf.parallel (%arg4) = (%c0_3) to (%3) step (%c1_4) {
      %4 = arith.remsi %arg4, %arg1 : index
      %5 = arith.divsi %arg4, %arg1 : index
      %6 = memref.load %alloc[%5, %4] : memref<?x?xf32>
      %7 = arith.mulf %6, %6 : f32
      memref.store %7, %arg3[%5, %4] : memref<?x?xf32>
      scf.reduce 
    }
    memref.dealloc %alloc : memref<?x?xf32>
    return
  }
}
// ===== matrices_in_two_loops | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @matrices_in_two_loops(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      scf.for %arg5 = %c0 to %arg1 step %c1 {
        %0 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %alloc[%arg4, %arg5] : memref<?x?xf32>
      }
    }
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      scf.for %arg5 = %c0 to %arg1 step %c1 {
        %0 = memref.load %alloc[%arg4, %arg5] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        memref.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
      }
    }
    memref.dealloc %alloc : memref<?x?xf32>
    return
  }
}
// ===== matrices_in_two_loops | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
#map = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
#map1 = affine_map<(d0)[s0] -> (-d0 + s0, 1)>
module {
  func.func @matrices_in_two_loops(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%c3, %c1) {
      %0 = affine.min #map(%arg4)[%arg0]
      %1 = affine.min #map1(%arg5)[%arg1]
      scf.parallel (%arg6, %arg7) = (%c0, %c0) to (%0, %1) step (%c1, %c1) {
        %2 = arith.addi %arg6, %arg4 : index
        %3 = arith.addi %arg7, %arg5 : index
        %4 = memref.load %arg2[%2, %3] : memref<?x?xf32>
        %5 = arith.negf %4 : f32
        memref.store %5, %alloc[%2, %3] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%c3, %c1) {
      %0 = affine.min #map(%arg4)[%arg0]
      %1 = affine.min #map1(%arg5)[%arg1]
      scf.parallel (%arg6, %arg7) = (%c0, %c0) to (%0, %1) step (%c1, %c1) {
        %2 = arith.addi %arg6, %arg4 : index
        %3 = arith.addi %arg7, %arg5 : index
        %4 = memref.load %alloc[%2, %3] : memref<?x?xf32>
        %5 = arith.mulf %4, %4 : f32
        memref.store %5, %arg3[%2, %3] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    memref.dealloc %alloc : memref<?x?xf32>
    return
  }
}
// ===== matrices_in_two_loops | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @matrices_in_two_loops(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloc = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%0, %1) {
      scf.parallel (%arg6, %arg7) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c1) {
        %4 = arith.addi %arg6, %arg4 : index
        %5 = arith.addi %arg7, %arg5 : index
        %true = arith.constant true
        %6 = arith.muli %arg6, %c1 : index
        %7 = arith.addi %6, %arg4 : index
        %8 = arith.cmpi slt, %7, %arg0 : index
        %9 = arith.andi %true, %8 : i1
        %10 = arith.muli %arg7, %c1 : index
        %11 = arith.addi %10, %arg5 : index
        %12 = arith.cmpi slt, %11, %arg1 : index
        %13 = arith.andi %9, %12 : i1
        scf.if %13 {
          %14 = memref.load %arg2[%4, %5] : memref<?x?xf32>
          %15 = arith.negf %14 : f32
          memref.store %15, %alloc[%4, %5] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %c8_3 = arith.constant 8 : index
    %2 = arith.muli %c1, %c4_2 : index
    %3 = arith.muli %c1, %c8_3 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%2, %3) {
      scf.parallel (%arg6, %arg7) = (%c0_1, %c0_1) to (%2, %3) step (%c1, %c1) {
        %4 = arith.addi %arg6, %arg4 : index
        %5 = arith.addi %arg7, %arg5 : index
        %true = arith.constant true
        %6 = arith.muli %arg6, %c1 : index
        %7 = arith.addi %6, %arg4 : index
        %8 = arith.cmpi slt, %7, %arg0 : index
        %9 = arith.andi %true, %8 : i1
        %10 = arith.muli %arg7, %c1 : index
        %11 = arith.addi %10, %arg5 : index
        %12 = arith.cmpi slt, %11, %arg1 : index
        %13 = arith.andi %9, %12 : i1
        scf.if %13 {
          %14 = memref.load %alloc[%4, %5] : memref<?x?xf32>
          %15 = arith.mulf %14, %14 : f32
          memref.store %15, %arg3[%4, %5] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    memref.dealloc %alloc : memref<?x?xf32>
    return
  }
}
// ===== shifted_read_is_not_fused | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @shifted_read_is_not_fused(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = arith.muli %c1, %c4 : index
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%0) {
      %2 = affine.min #map(%0, %arg0, %arg4)
      scf.parallel (%arg5) = (%c0_0) to (%2) step (%c1) {
        %3 = arith.addi %arg5, %arg4 : index
        %4 = memref.load %arg1[%3] : memref<?xf32>
        memref.store %4, %arg2[%3] : memref<?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %1 = arith.muli %c1, %c4_2 : index
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%1) {
      %2 = affine.min #map(%1, %arg0, %arg4)
      scf.parallel (%arg5) = (%c0_1) to (%2) step (%c1) {
        %3 = arith.addi %arg5, %arg4 : index
        %4 = arith.addi %3, %c1 : index
        %5 = memref.load %arg2[%4] : memref<?xf32>
        memref.store %5, %arg3[%3] : memref<?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== shifted_read_is_not_fused | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @shifted_read_is_not_fused(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = arith.muli %c1, %c4 : index
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%0) {
      scf.parallel (%arg5) = (%c0_0) to (%0) step (%c1) {
        %2 = arith.addi %arg5, %arg4 : index
        %true = arith.constant true
        %3 = arith.muli %arg5, %c1 : index
        %4 = arith.addi %3, %arg4 : index
        %5 = arith.cmpi ult, %4, %arg0 : index
        %6 = arith.andi %true, %5 : i1
        scf.if %6 {
          %7 = memref.load %arg1[%2] : memref<?xf32>
          memref.store %7, %arg2[%2] : memref<?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %1 = arith.muli %c1, %c4_2 : index
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%1) {
      scf.parallel (%arg5) = (%c0_1) to (%1) step (%c1) {
        %2 = arith.addi %arg5, %arg4 : index
        %true = arith.constant true
        %3 = arith.muli %arg5, %c1 : index
        %4 = arith.addi %3, %arg4 : index
        %5 = arith.cmpi ult, %4, %arg0 : index
        %6 = arith.andi %true, %5 : i1
        scf.if %6 {
          %7 = arith.addi %2, %c1 : index
          %8 = memref.load %arg2[%7] : memref<?xf32>
          memref.store %8, %arg3[%2] : memref<?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== shifted_read_is_not_fused | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @shifted_read_is_not_fused(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg4] : memref<?xf32>
      memref.store %0, %arg2[%arg4] : memref<?xf32>
    }
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = arith.addi %arg4, %c1 : index
      %1 = memref.load %arg2[%0] : memref<?xf32>
      memref.store %1, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== shifted_read_is_not_fused | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
#map = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
module {
  func.func @shifted_read_is_not_fused(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%c3) {
      %0 = affine.min #map(%arg4)[%arg0]
      scf.parallel (%arg5) = (%c0) to (%0) step (%c1) {
        %1 = arith.addi %arg5, %arg4 : index
        %2 = memref.load %arg1[%1] : memref<?xf32>
        memref.store %2, %arg2[%1] : memref<?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%c3) {
      %0 = affine.min #map(%arg4)[%arg0]
      scf.parallel (%arg5) = (%c0) to (%0) step (%c1) {
        %1 = arith.addi %arg5, %arg4 : index
        %2 = arith.addi %1, %c1 : index
        %3 = memref.load %arg2[%2] : memref<?xf32>
        memref.store %3, %arg3[%1] : memref<?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== shifted_read_is_not_fused | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @shifted_read_is_not_fused(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = arith.muli %c1, %c4 : index
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%0) {
      scf.parallel (%arg5) = (%c0_0) to (%0) step (%c1) {
        %2 = arith.addi %arg5, %arg4 : index
        %true = arith.constant true
        %3 = arith.muli %arg5, %c1 : index
        %4 = arith.addi %3, %arg4 : index
        %5 = arith.cmpi slt, %4, %arg0 : index
        %6 = arith.andi %true, %5 : i1
        scf.if %6 {
          %7 = memref.load %arg1[%2] : memref<?xf32>
          memref.store %7, %arg2[%2] : memref<?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %1 = arith.muli %c1, %c4_2 : index
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%1) {
      scf.parallel (%arg5) = (%c0_1) to (%1) step (%c1) {
        %2 = arith.addi %arg5, %arg4 : index
        %true = arith.constant true
        %3 = arith.muli %arg5, %c1 : index
        %4 = arith.addi %3, %arg4 : index
        %5 = arith.cmpi slt, %4, %arg0 : index
        %6 = arith.andi %true, %5 : i1
        scf.if %6 {
          %7 = arith.addi %2, %c1 : index
          %8 = memref.load %arg2[%7] : memref<?xf32>
          memref.store %8, %arg3[%2] : memref<?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== fixed_sizes_in_two_loops | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @fixed_sizes_in_two_loops(%arg0: memref<6x10xf32>, %arg1: memref<6x10xf32>, %arg2: memref<6x10xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c10 = arith.constant 10 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c6, %c10) step (%0, %1) {
      %4 = affine.min #map(%0, %c6, %arg3)
      %5 = affine.min #map(%1, %c10, %arg4)
      scf.parallel (%arg5, %arg6) = (%c0_0, %c0_0) to (%4, %5) step (%c1, %c1) {
        %6 = arith.addi %arg5, %arg3 : index
        %7 = arith.addi %arg6, %arg4 : index
        %8 = memref.load %arg0[%6, %7] : memref<6x10xf32>
        %9 = arith.addf %8, %8 : f32
        memref.store %9, %arg1[%6, %7] : memref<6x10xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %c8_3 = arith.constant 8 : index
    %2 = arith.muli %c1, %c4_2 : index
    %3 = arith.muli %c1, %c8_3 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c6, %c10) step (%2, %3) {
      %4 = affine.min #map(%2, %c6, %arg3)
      %5 = affine.min #map(%3, %c10, %arg4)
      scf.parallel (%arg5, %arg6) = (%c0_1, %c0_1) to (%4, %5) step (%c1, %c1) {
        %6 = arith.addi %arg5, %arg3 : index
        %7 = arith.addi %arg6, %arg4 : index
        %8 = memref.load %arg1[%6, %7] : memref<6x10xf32>
        %9 = memref.load %arg0[%6, %7] : memref<6x10xf32>
        %10 = arith.subf %8, %9 : f32
        memref.store %10, %arg2[%6, %7] : memref<6x10xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== fixed_sizes_in_two_loops | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @fixed_sizes_in_two_loops(%arg0: memref<6x10xf32>, %arg1: memref<6x10xf32>, %arg2: memref<6x10xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c10 = arith.constant 10 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c6, %c10) step (%0, %1) {
      scf.parallel (%arg5, %arg6) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c1) {
        %4 = arith.addi %arg5, %arg3 : index
        %5 = arith.addi %arg6, %arg4 : index
        %true = arith.constant true
        %6 = arith.muli %arg5, %c1 : index
        %7 = arith.addi %6, %arg3 : index
        %8 = arith.cmpi ult, %7, %c6 : index
        %9 = arith.andi %true, %8 : i1
        %10 = arith.muli %arg6, %c1 : index
        %11 = arith.addi %10, %arg4 : index
        %12 = arith.cmpi ult, %11, %c10 : index
        %13 = arith.andi %9, %12 : i1
        scf.if %13 {
          %14 = memref.load %arg0[%4, %5] : memref<6x10xf32>
          %15 = arith.addf %14, %14 : f32
          memref.store %15, %arg1[%4, %5] : memref<6x10xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %c8_3 = arith.constant 8 : index
    %2 = arith.muli %c1, %c4_2 : index
    %3 = arith.muli %c1, %c8_3 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c6, %c10) step (%2, %3) {
      scf.parallel (%arg5, %arg6) = (%c0_1, %c0_1) to (%2, %3) step (%c1, %c1) {
        %4 = arith.addi %arg5, %arg3 : index
        %5 = arith.addi %arg6, %arg4 : index
        %true = arith.constant true
        %6 = arith.muli %arg5, %c1 : index
        %7 = arith.addi %6, %arg3 : index
        %8 = arith.cmpi ult, %7, %c6 : index
        %9 = arith.andi %true, %8 : i1
        %10 = arith.muli %arg6, %c1 : index
        %11 = arith.addi %10, %arg4 : index
        %12 = arith.cmpi ult, %11, %c10 : index
        %13 = arith.andi %9, %12 : i1
        scf.if %13 {
          %14 = memref.load %arg1[%4, %5] : memref<6x10xf32>
          %15 = memref.load %arg0[%4, %5] : memref<6x10xf32>
          %16 = arith.subf %14, %15 : f32
          memref.store %16, %arg2[%4, %5] : memref<6x10xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== fixed_sizes_in_two_loops | mlir-opt 22 | test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
module {
  func.func @fixed_sizes_in_two_loops(%arg0: memref<6x10xf32>, %arg1: memref<6x10xf32>, %arg2: memref<6x10xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c10 = arith.constant 10 : index
    %c6_0 = arith.constant 6 : index
    %c10_1 = arith.constant 10 : index
    %c0_2 = arith.constant 0 : index
    %c1_3 = arith.constant 1 : index
    %c1_4 = arith.constant 1 : index
    %0 = arith.muli %c1_4, %c6_0 : index
    %1 = arith.muli %0, %c10_1 : index
    scf.parallel (%arg3) = (%c0_2) to (%1) step (%c1_3) {
      %4 = arith.remsi %arg3, %c10_1 : index
      %5 = arith.divsi %arg3, %c10_1 : index
      %6 = memref.load %arg0[%5, %4] : memref<6x10xf32>
      %7 = arith.addf %6, %6 : f32
      memref.store %7, %arg1[%5, %4] : memref<6x10xf32>
      scf.reduce 
    }
    %c6_5 = arith.constant 6 : index
    %c10_6 = arith.constant 10 : index
    %c0_7 = arith.constant 0 : index
    %c1_8 = arith.constant 1 : index
    %c1_9 = arith.constant 1 : index
    %2 = arith.muli %c1_9, %c6_5 : index
    %3 = arith.muli %2, %c10_6 : index
    scf.parallel (%arg3) = (%c0_7) to (%3) step (%c1_8) {
      %4 = arith.remsi %arg3, %c10_6 : index
      %5 = arith.divsi %arg3, %c10_6 : index
      %6 = memref.load %arg1[%5, %4] : memref<6x10xf32>
      %7 = memref.load %arg0[%5, %4] : memref<6x10xf32>
      %8 = arith.subf %6, %7 : f32
      memref.store %8, %arg2[%5, %4] : memref<6x10xf32>
      scf.reduce 
    }
    return
  }
}
// ===== fixed_sizes_in_two_loops | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @fixed_sizes_in_two_loops(%arg0: memref<6x10xf32>, %arg1: memref<6x10xf32>, %arg2: memref<6x10xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c10 = arith.constant 10 : index
    scf.for %arg3 = %c0 to %c6 step %c1 {
      scf.for %arg4 = %c0 to %c10 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg4] : memref<6x10xf32>
        %1 = arith.addf %0, %0 : f32
        memref.store %1, %arg1[%arg3, %arg4] : memref<6x10xf32>
      }
    }
    scf.for %arg3 = %c0 to %c6 step %c1 {
      scf.for %arg4 = %c0 to %c10 step %c1 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<6x10xf32>
        %1 = memref.load %arg0[%arg3, %arg4] : memref<6x10xf32>
        %2 = arith.subf %0, %1 : f32
        memref.store %2, %arg2[%arg3, %arg4] : memref<6x10xf32>
      }
    }
    return
  }
}
// ===== fixed_sizes_in_two_loops | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
module {
  func.func @fixed_sizes_in_two_loops(%arg0: memref<6x10xf32>, %arg1: memref<6x10xf32>, %arg2: memref<6x10xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c10 = arith.constant 10 : index
    %c3 = arith.constant 3 : index
    scf.parallel (%arg3, %arg4, %arg5) = (%c0, %c0, %c0) to (%c6, %c10, %c3) step (%c3, %c1, %c1) {
      %0 = arith.addi %arg5, %arg3 : index
      %1 = memref.load %arg0[%0, %arg4] : memref<6x10xf32>
      %2 = arith.addf %1, %1 : f32
      memref.store %2, %arg1[%0, %arg4] : memref<6x10xf32>
      scf.reduce 
    }
    scf.parallel (%arg3, %arg4, %arg5) = (%c0, %c0, %c0) to (%c6, %c10, %c3) step (%c3, %c1, %c1) {
      %0 = arith.addi %arg5, %arg3 : index
      %1 = memref.load %arg1[%0, %arg4] : memref<6x10xf32>
      %2 = memref.load %arg0[%0, %arg4] : memref<6x10xf32>
      %3 = arith.subf %1, %2 : f32
      memref.store %3, %arg2[%0, %arg4] : memref<6x10xf32>
      scf.reduce 
    }
    return
  }
}
// ===== fixed_sizes_in_two_loops | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @fixed_sizes_in_two_loops(%arg0: memref<6x10xf32>, %arg1: memref<6x10xf32>, %arg2: memref<6x10xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c10 = arith.constant 10 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c6, %c10) step (%0, %1) {
      scf.parallel (%arg5, %arg6) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c1) {
        %4 = arith.addi %arg5, %arg3 : index
        %5 = arith.addi %arg6, %arg4 : index
        %true = arith.constant true
        %6 = arith.muli %arg5, %c1 : index
        %7 = arith.addi %6, %arg3 : index
        %8 = arith.cmpi slt, %7, %c6 : index
        %9 = arith.andi %true, %8 : i1
        %10 = arith.muli %arg6, %c1 : index
        %11 = arith.addi %10, %arg4 : index
        %12 = arith.cmpi slt, %11, %c10 : index
        %13 = arith.andi %9, %12 : i1
        scf.if %13 {
          %14 = memref.load %arg0[%4, %5] : memref<6x10xf32>
          %15 = arith.addf %14, %14 : f32
          memref.store %15, %arg1[%4, %5] : memref<6x10xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    %c0_1 = arith.constant 0 : index
    %c4_2 = arith.constant 4 : index
    %c8_3 = arith.constant 8 : index
    %2 = arith.muli %c1, %c4_2 : index
    %3 = arith.muli %c1, %c8_3 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c6, %c10) step (%2, %3) {
      scf.parallel (%arg5, %arg6) = (%c0_1, %c0_1) to (%2, %3) step (%c1, %c1) {
        %4 = arith.addi %arg5, %arg3 : index
        %5 = arith.addi %arg6, %arg4 : index
        %true = arith.constant true
        %6 = arith.muli %arg5, %c1 : index
        %7 = arith.addi %6, %arg3 : index
        %8 = arith.cmpi slt, %7, %c6 : index
        %9 = arith.andi %true, %8 : i1
        %10 = arith.muli %arg6, %c1 : index
        %11 = arith.addi %10, %arg4 : index
        %12 = arith.cmpi slt, %11, %c10 : index
        %13 = arith.andi %9, %12 : i1
        scf.if %13 {
          %14 = memref.load %arg1[%4, %5] : memref<6x10xf32>
          %15 = memref.load %arg0[%4, %5] : memref<6x10xf32>
          %16 = arith.subf %14, %15 : f32
          memref.store %16, %arg2[%4, %5] : memref<6x10xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== two_dimensions_are_tiled | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @two_dimensions_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%0, %1) {
      %2 = affine.min #map(%0, %arg0, %arg4)
      %3 = affine.min #map(%1, %arg1, %arg5)
      scf.parallel (%arg6, %arg7) = (%c0_0, %c0_0) to (%2, %3) step (%c1, %c1) {
        %4 = arith.addi %arg6, %arg4 : index
        %5 = arith.addi %arg7, %arg5 : index
        %6 = memref.load %arg2[%4, %5] : memref<?x?xf32>
        memref.store %6, %arg3[%5, %4] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== two_dimensions_are_tiled | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @two_dimensions_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%0, %1) {
      scf.parallel (%arg6, %arg7) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c1) {
        %2 = arith.addi %arg6, %arg4 : index
        %3 = arith.addi %arg7, %arg5 : index
        %true = arith.constant true
        %4 = arith.muli %arg6, %c1 : index
        %5 = arith.addi %4, %arg4 : index
        %6 = arith.cmpi ult, %5, %arg0 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg7, %c1 : index
        %9 = arith.addi %8, %arg5 : index
        %10 = arith.cmpi ult, %9, %arg1 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg2[%2, %3] : memref<?x?xf32>
          memref.store %12, %arg3[%3, %2] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== two_dimensions_are_tiled | mlir-opt 22 | test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
module {
  func.func @two_dimensions_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_0 = arith.constant 0 : index
    %c1_1 = arith.constant 1 : index
    %c1_2 = arith.constant 1 : index
    %0 = arith.muli %c1_2, %arg0 : index
    %1 = arith.muli %0, %arg1 : index
    scf.parallel (%arg4) = (%c0_0) to (%1) step (%c1_1) {
      %2 = arith.remsi %arg4, %arg1 : index
      %3 = arith.divsi %arg4, %arg1 : index
      %4 = memref.load %arg2[%3, %2] : memref<?x?xf32>
      memref.store %4, %arg3[%2, %3] : memref<?x?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== two_dimensions_are_tiled | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @two_dimensions_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      scf.for %arg5 = %c0 to %arg1 step %c1 {
        %0 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        memref.store %0, %arg3[%arg5, %arg4] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== two_dimensions_are_tiled | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
#map = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
#map1 = affine_map<(d0)[s0] -> (-d0 + s0, 1)>
module {
  func.func @two_dimensions_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%c3, %c1) {
      %0 = affine.min #map(%arg4)[%arg0]
      %1 = affine.min #map1(%arg5)[%arg1]
      scf.parallel (%arg6, %arg7) = (%c0, %c0) to (%0, %1) step (%c1, %c1) {
        %2 = arith.addi %arg6, %arg4 : index
        %3 = arith.addi %arg7, %arg5 : index
        %4 = memref.load %arg2[%2, %3] : memref<?x?xf32>
        memref.store %4, %arg3[%3, %2] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== two_dimensions_are_tiled | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @two_dimensions_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%arg0, %arg1) step (%0, %1) {
      scf.parallel (%arg6, %arg7) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c1) {
        %2 = arith.addi %arg6, %arg4 : index
        %3 = arith.addi %arg7, %arg5 : index
        %true = arith.constant true
        %4 = arith.muli %arg6, %c1 : index
        %5 = arith.addi %4, %arg4 : index
        %6 = arith.cmpi slt, %5, %arg0 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg7, %c1 : index
        %9 = arith.addi %8, %arg5 : index
        %10 = arith.cmpi slt, %9, %arg1 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg2[%2, %3] : memref<?x?xf32>
          memref.store %12, %arg3[%3, %2] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== bounds_and_steps_are_tiled | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @bounds_and_steps_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 1.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c2, %c4 : index
    %1 = arith.muli %c3, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c2, %c3) to (%arg0, %arg1) step (%0, %1) {
      %2 = affine.min #map(%0, %arg0, %arg3)
      %3 = affine.min #map(%1, %arg1, %arg4)
      scf.parallel (%arg5, %arg6) = (%c0, %c0) to (%2, %3) step (%c2, %c3) {
        %4 = arith.addi %arg5, %arg3 : index
        %5 = arith.addi %arg6, %arg4 : index
        memref.store %cst, %arg2[%4, %5] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== bounds_and_steps_are_tiled | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @bounds_and_steps_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 1.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c2, %c4 : index
    %1 = arith.muli %c3, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c2, %c3) to (%arg0, %arg1) step (%0, %1) {
      scf.parallel (%arg5, %arg6) = (%c0, %c0) to (%0, %1) step (%c2, %c3) {
        %2 = arith.addi %arg5, %arg3 : index
        %3 = arith.addi %arg6, %arg4 : index
        %true = arith.constant true
        %4 = arith.muli %arg5, %c2 : index
        %5 = arith.addi %4, %arg3 : index
        %6 = arith.cmpi ult, %5, %arg0 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg6, %c3 : index
        %9 = arith.addi %8, %arg4 : index
        %10 = arith.cmpi ult, %9, %arg1 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          memref.store %cst, %arg2[%2, %3] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== bounds_and_steps_are_tiled | mlir-opt 22 | test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
#map = affine_map<()[s0] -> ((s0 - 2) ceildiv 2)>
#map1 = affine_map<()[s0] -> ((s0 - 3) ceildiv 3)>
#map2 = affine_map<(d0) -> (d0 * 3 + 3)>
#map3 = affine_map<(d0) -> (d0 * 2 + 2)>
module {
  func.func @bounds_and_steps_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 1.000000e+00 : f32
    %0 = affine.apply #map()[%arg0]
    %1 = affine.apply #map1()[%arg1]
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    %2 = arith.muli %c1_0, %0 : index
    %3 = arith.muli %2, %1 : index
    scf.parallel (%arg3) = (%c0) to (%3) step (%c1) {
      %4 = arith.remsi %arg3, %1 : index
      %5 = arith.divsi %arg3, %1 : index
      %6 = affine.apply #map2(%4)
      %7 = affine.apply #map3(%5)
      memref.store %cst, %arg2[%7, %6] : memref<?x?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== bounds_and_steps_are_tiled | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @bounds_and_steps_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 1.000000e+00 : f32
    scf.for %arg3 = %c2 to %arg0 step %c2 {
      scf.for %arg4 = %c3 to %arg1 step %c3 {
        memref.store %cst, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== bounds_and_steps_are_tiled | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
#map = affine_map<(d0)[s0] -> (-d0 + s0, 6)>
#map1 = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
module {
  func.func @bounds_and_steps_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 1.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c6 = arith.constant 6 : index
    scf.parallel (%arg3, %arg4) = (%c2, %c3) to (%arg0, %arg1) step (%c6, %c3) {
      %0 = affine.min #map(%arg3)[%arg0]
      %1 = affine.min #map1(%arg4)[%arg1]
      scf.parallel (%arg5, %arg6) = (%c0, %c0) to (%0, %1) step (%c2, %c3) {
        %2 = arith.addi %arg5, %arg3 : index
        %3 = arith.addi %arg6, %arg4 : index
        memref.store %cst, %arg2[%2, %3] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== bounds_and_steps_are_tiled | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @bounds_and_steps_are_tiled(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 1.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c2, %c4 : index
    %1 = arith.muli %c3, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c2, %c3) to (%arg0, %arg1) step (%0, %1) {
      scf.parallel (%arg5, %arg6) = (%c0, %c0) to (%0, %1) step (%c2, %c3) {
        %2 = arith.addi %arg5, %arg3 : index
        %3 = arith.addi %arg6, %arg4 : index
        %true = arith.constant true
        %4 = arith.muli %arg5, %c2 : index
        %5 = arith.addi %4, %arg3 : index
        %6 = arith.cmpi slt, %5, %arg0 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg6, %c3 : index
        %9 = arith.addi %8, %arg4 : index
        %10 = arith.cmpi slt, %9, %arg1 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          memref.store %cst, %arg2[%2, %3] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== fixed_bounds_are_tiled | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @fixed_bounds_are_tiled(%arg0: memref<22x24xf32>, %arg1: memref<22x24xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c22 = arith.constant 22 : index
    %c24 = arith.constant 24 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c3, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg2, %arg3) = (%c1, %c0) to (%c22, %c24) step (%0, %1) {
      %2 = affine.min #map(%0, %c22, %arg2)
      scf.parallel (%arg4, %arg5) = (%c0_0, %c0_0) to (%2, %1) step (%c3, %c1) {
        %3 = arith.addi %arg4, %arg2 : index
        %4 = arith.addi %arg5, %arg3 : index
        %5 = memref.load %arg0[%3, %4] : memref<22x24xf32>
        %6 = arith.mulf %5, %5 : f32
        memref.store %6, %arg1[%3, %4] : memref<22x24xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== fixed_bounds_are_tiled | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @fixed_bounds_are_tiled(%arg0: memref<22x24xf32>, %arg1: memref<22x24xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c22 = arith.constant 22 : index
    %c24 = arith.constant 24 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c3, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg2, %arg3) = (%c1, %c0) to (%c22, %c24) step (%0, %1) {
      scf.parallel (%arg4, %arg5) = (%c0_0, %c0_0) to (%0, %1) step (%c3, %c1) {
        %2 = arith.addi %arg4, %arg2 : index
        %3 = arith.addi %arg5, %arg3 : index
        %true = arith.constant true
        %4 = arith.muli %arg4, %c3 : index
        %5 = arith.addi %4, %arg2 : index
        %6 = arith.cmpi ult, %5, %c22 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg5, %c1 : index
        %9 = arith.addi %8, %arg3 : index
        %10 = arith.cmpi ult, %9, %c24 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg0[%2, %3] : memref<22x24xf32>
          %13 = arith.mulf %12, %12 : f32
          memref.store %13, %arg1[%2, %3] : memref<22x24xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== fixed_bounds_are_tiled | mlir-opt 22 | test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
#map = affine_map<(d0) -> (d0 * 3 + 1)>
module {
  func.func @fixed_bounds_are_tiled(%arg0: memref<22x24xf32>, %arg1: memref<22x24xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c22 = arith.constant 22 : index
    %c24 = arith.constant 24 : index
    %c7 = arith.constant 7 : index
    %c24_0 = arith.constant 24 : index
    %c0_1 = arith.constant 0 : index
    %c1_2 = arith.constant 1 : index
    %c1_3 = arith.constant 1 : index
    %0 = arith.muli %c1_3, %c7 : index
    %1 = arith.muli %0, %c24_0 : index
    scf.parallel (%arg2) = (%c0_1) to (%1) step (%c1_2) {
      %2 = arith.remsi %arg2, %c24_0 : index
      %3 = arith.divsi %arg2, %c24_0 : index
      %4 = affine.apply #map(%3)
      %5 = memref.load %arg0[%4, %2] : memref<22x24xf32>
      %6 = arith.mulf %5, %5 : f32
      memref.store %6, %arg1[%4, %2] : memref<22x24xf32>
      scf.reduce 
    }
    return
  }
}
// ===== fixed_bounds_are_tiled | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @fixed_bounds_are_tiled(%arg0: memref<22x24xf32>, %arg1: memref<22x24xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c22 = arith.constant 22 : index
    %c24 = arith.constant 24 : index
    scf.for %arg2 = %c1 to %c22 step %c3 {
      scf.for %arg3 = %c0 to %c24 step %c1 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<22x24xf32>
        %1 = arith.mulf %0, %0 : f32
        memref.store %1, %arg1[%arg2, %arg3] : memref<22x24xf32>
      }
    }
    return
  }
}
// ===== fixed_bounds_are_tiled | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
#map = affine_map<(d0) -> (-d0 + 22, 9)>
module {
  func.func @fixed_bounds_are_tiled(%arg0: memref<22x24xf32>, %arg1: memref<22x24xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c22 = arith.constant 22 : index
    %c24 = arith.constant 24 : index
    %c9 = arith.constant 9 : index
    scf.parallel (%arg2, %arg3) = (%c1, %c0) to (%c22, %c24) step (%c9, %c1) {
      %0 = affine.min #map(%arg2)
      scf.parallel (%arg4) = (%c0) to (%0) step (%c3) {
        %1 = arith.addi %arg4, %arg2 : index
        %2 = memref.load %arg0[%1, %arg3] : memref<22x24xf32>
        %3 = arith.mulf %2, %2 : f32
        memref.store %3, %arg1[%1, %arg3] : memref<22x24xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== fixed_bounds_are_tiled | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @fixed_bounds_are_tiled(%arg0: memref<22x24xf32>, %arg1: memref<22x24xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c22 = arith.constant 22 : index
    %c24 = arith.constant 24 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c3, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg2, %arg3) = (%c1, %c0) to (%c22, %c24) step (%0, %1) {
      scf.parallel (%arg4, %arg5) = (%c0_0, %c0_0) to (%0, %1) step (%c3, %c1) {
        %2 = arith.addi %arg4, %arg2 : index
        %3 = arith.addi %arg5, %arg3 : index
        %true = arith.constant true
        %4 = arith.muli %arg4, %c3 : index
        %5 = arith.addi %4, %arg2 : index
        %6 = arith.cmpi slt, %5, %c22 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg5, %c1 : index
        %9 = arith.addi %8, %arg3 : index
        %10 = arith.cmpi slt, %9, %c24 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg0[%2, %3] : memref<22x24xf32>
          %13 = arith.mulf %12, %12 : f32
          memref.store %13, %arg1[%2, %3] : memref<22x24xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @collapsed_rectangle(%arg0: index, %arg1: memref<?x14xf32>, %arg2: memref<?x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c14 = arith.constant 14 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c2, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%arg0, %c14) step (%0, %1) {
      %2 = affine.min #map(%0, %arg0, %arg3)
      %3 = affine.min #map(%1, %c14, %arg4)
      scf.parallel (%arg5, %arg6) = (%c0_0, %c0_0) to (%2, %3) step (%c1, %c2) {
        %4 = arith.addi %arg5, %arg3 : index
        %5 = arith.addi %arg6, %arg4 : index
        %6 = memref.load %arg1[%4, %5] : memref<?x14xf32>
        %7 = arith.negf %6 : f32
        memref.store %7, %arg2[%4, %5] : memref<?x14xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @collapsed_rectangle(%arg0: index, %arg1: memref<?x14xf32>, %arg2: memref<?x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c14 = arith.constant 14 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c2, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%arg0, %c14) step (%0, %1) {
      scf.parallel (%arg5, %arg6) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c2) {
        %2 = arith.addi %arg5, %arg3 : index
        %3 = arith.addi %arg6, %arg4 : index
        %true = arith.constant true
        %4 = arith.muli %arg5, %c1 : index
        %5 = arith.addi %4, %arg3 : index
        %6 = arith.cmpi ult, %5, %arg0 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg6, %c2 : index
        %9 = arith.addi %8, %arg4 : index
        %10 = arith.cmpi ult, %9, %c14 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg1[%2, %3] : memref<?x14xf32>
          %13 = arith.negf %12 : f32
          memref.store %13, %arg2[%2, %3] : memref<?x14xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle | mlir-opt 22 | test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
#map = affine_map<(d0) -> (d0 * 2)>
module {
  func.func @collapsed_rectangle(%arg0: index, %arg1: memref<?x14xf32>, %arg2: memref<?x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c14 = arith.constant 14 : index
    %c7 = arith.constant 7 : index
    %c0_0 = arith.constant 0 : index
    %c1_1 = arith.constant 1 : index
    %c1_2 = arith.constant 1 : index
    %0 = arith.muli %c1_2, %arg0 : index
    %1 = arith.muli %0, %c7 : index
    scf.parallel (%arg3) = (%c0_0) to (%1) step (%c1_1) {
      %2 = arith.remsi %arg3, %c7 : index
      %3 = arith.divsi %arg3, %c7 : index
      %4 = affine.apply #map(%2)
      %5 = memref.load %arg1[%3, %4] : memref<?x14xf32>
      %6 = arith.negf %5 : f32
      memref.store %6, %arg2[%3, %4] : memref<?x14xf32>
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @collapsed_rectangle(%arg0: index, %arg1: memref<?x14xf32>, %arg2: memref<?x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c14 = arith.constant 14 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      scf.for %arg4 = %c0 to %c14 step %c2 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x14xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %arg2[%arg3, %arg4] : memref<?x14xf32>
      }
    }
    return
  }
}
// ===== collapsed_rectangle | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
#map = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
module {
  func.func @collapsed_rectangle(%arg0: index, %arg1: memref<?x14xf32>, %arg2: memref<?x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c14 = arith.constant 14 : index
    %c3 = arith.constant 3 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%arg0, %c14) step (%c3, %c2) {
      %0 = affine.min #map(%arg3)[%arg0]
      scf.parallel (%arg5) = (%c0) to (%0) step (%c1) {
        %1 = arith.addi %arg5, %arg3 : index
        %2 = memref.load %arg1[%1, %arg4] : memref<?x14xf32>
        %3 = arith.negf %2 : f32
        memref.store %3, %arg2[%1, %arg4] : memref<?x14xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @collapsed_rectangle(%arg0: index, %arg1: memref<?x14xf32>, %arg2: memref<?x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c14 = arith.constant 14 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c2, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%arg0, %c14) step (%0, %1) {
      scf.parallel (%arg5, %arg6) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c2) {
        %2 = arith.addi %arg5, %arg3 : index
        %3 = arith.addi %arg6, %arg4 : index
        %true = arith.constant true
        %4 = arith.muli %arg5, %c1 : index
        %5 = arith.addi %4, %arg3 : index
        %6 = arith.cmpi slt, %5, %arg0 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg6, %c2 : index
        %9 = arith.addi %8, %arg4 : index
        %10 = arith.cmpi slt, %9, %c14 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg1[%2, %3] : memref<?x14xf32>
          %13 = arith.negf %12 : f32
          memref.store %13, %arg2[%2, %3] : memref<?x14xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle_of_fixed_size | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @collapsed_rectangle_of_fixed_size(%arg0: memref<9x14xf32>, %arg1: memref<9x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %c14 = arith.constant 14 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c3, %c4 : index
    %1 = arith.muli %c2, %c8 : index
    scf.parallel (%arg2, %arg3) = (%c3, %c1) to (%c9, %c14) step (%0, %1) {
      %2 = affine.min #map(%0, %c9, %arg2)
      %3 = affine.min #map(%1, %c14, %arg3)
      scf.parallel (%arg4, %arg5) = (%c0_0, %c0_0) to (%2, %3) step (%c3, %c2) {
        %4 = arith.addi %arg4, %arg2 : index
        %5 = arith.addi %arg5, %arg3 : index
        %6 = memref.load %arg0[%4, %5] : memref<9x14xf32>
        %7 = arith.negf %6 : f32
        memref.store %7, %arg1[%4, %5] : memref<9x14xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle_of_fixed_size | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @collapsed_rectangle_of_fixed_size(%arg0: memref<9x14xf32>, %arg1: memref<9x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %c14 = arith.constant 14 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c3, %c4 : index
    %1 = arith.muli %c2, %c8 : index
    scf.parallel (%arg2, %arg3) = (%c3, %c1) to (%c9, %c14) step (%0, %1) {
      scf.parallel (%arg4, %arg5) = (%c0_0, %c0_0) to (%0, %1) step (%c3, %c2) {
        %2 = arith.addi %arg4, %arg2 : index
        %3 = arith.addi %arg5, %arg3 : index
        %true = arith.constant true
        %4 = arith.muli %arg4, %c3 : index
        %5 = arith.addi %4, %arg2 : index
        %6 = arith.cmpi ult, %5, %c9 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg5, %c2 : index
        %9 = arith.addi %8, %arg3 : index
        %10 = arith.cmpi ult, %9, %c14 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg0[%2, %3] : memref<9x14xf32>
          %13 = arith.negf %12 : f32
          memref.store %13, %arg1[%2, %3] : memref<9x14xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle_of_fixed_size | mlir-opt 22 | test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
#map = affine_map<(d0) -> (d0 * 2 + 1)>
#map1 = affine_map<(d0) -> (d0 * 3 + 3)>
module {
  func.func @collapsed_rectangle_of_fixed_size(%arg0: memref<9x14xf32>, %arg1: memref<9x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %c14 = arith.constant 14 : index
    %c2_0 = arith.constant 2 : index
    %c7 = arith.constant 7 : index
    %c0_1 = arith.constant 0 : index
    %c1_2 = arith.constant 1 : index
    %c1_3 = arith.constant 1 : index
    %0 = arith.muli %c1_3, %c2_0 : index
    %1 = arith.muli %0, %c7 : index
    scf.parallel (%arg2) = (%c0_1) to (%1) step (%c1_2) {
      %2 = arith.remsi %arg2, %c7 : index
      %3 = arith.divsi %arg2, %c7 : index
      %4 = affine.apply #map(%2)
      %5 = affine.apply #map1(%3)
      %6 = memref.load %arg0[%5, %4] : memref<9x14xf32>
      %7 = arith.negf %6 : f32
      memref.store %7, %arg1[%5, %4] : memref<9x14xf32>
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle_of_fixed_size | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @collapsed_rectangle_of_fixed_size(%arg0: memref<9x14xf32>, %arg1: memref<9x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %c14 = arith.constant 14 : index
    scf.for %arg2 = %c3 to %c9 step %c3 {
      scf.for %arg3 = %c1 to %c14 step %c2 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<9x14xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %arg1[%arg2, %arg3] : memref<9x14xf32>
      }
    }
    return
  }
}
// ===== collapsed_rectangle_of_fixed_size | mlir-opt 22 | canonicalize
module {
  func.func @collapsed_rectangle_of_fixed_size(%arg0: memref<9x14xf32>, %arg1: memref<9x14xf32>) {
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %c14 = arith.constant 14 : index
    scf.parallel (%arg2, %arg3) = (%c3, %c1) to (%c9, %c14) step (%c3, %c2) {
      %0 = memref.load %arg0[%arg2, %arg3] : memref<9x14xf32>
      %1 = arith.negf %0 : f32
      memref.store %1, %arg1[%arg2, %arg3] : memref<9x14xf32>
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle_of_fixed_size | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
module {
  func.func @collapsed_rectangle_of_fixed_size(%arg0: memref<9x14xf32>, %arg1: memref<9x14xf32>) {
    %c6 = arith.constant 6 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c14 = arith.constant 14 : index
    scf.parallel (%arg2, %arg3) = (%c1, %c0) to (%c14, %c6) step (%c2, %c3) {
      %0 = arith.addi %arg3, %c3 : index
      %1 = memref.load %arg0[%0, %arg2] : memref<9x14xf32>
      %2 = arith.negf %1 : f32
      memref.store %2, %arg1[%0, %arg2] : memref<9x14xf32>
      scf.reduce 
    }
    return
  }
}
// ===== collapsed_rectangle_of_fixed_size | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @collapsed_rectangle_of_fixed_size(%arg0: memref<9x14xf32>, %arg1: memref<9x14xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c9 = arith.constant 9 : index
    %c14 = arith.constant 14 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c3, %c4 : index
    %1 = arith.muli %c2, %c8 : index
    scf.parallel (%arg2, %arg3) = (%c3, %c1) to (%c9, %c14) step (%0, %1) {
      scf.parallel (%arg4, %arg5) = (%c0_0, %c0_0) to (%0, %1) step (%c3, %c2) {
        %2 = arith.addi %arg4, %arg2 : index
        %3 = arith.addi %arg5, %arg3 : index
        %true = arith.constant true
        %4 = arith.muli %arg4, %c3 : index
        %5 = arith.addi %4, %arg2 : index
        %6 = arith.cmpi slt, %5, %c9 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg5, %c2 : index
        %9 = arith.addi %8, %arg3 : index
        %10 = arith.cmpi slt, %9, %c14 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg0[%2, %3] : memref<9x14xf32>
          %13 = arith.negf %12 : f32
          memref.store %13, %arg1[%2, %3] : memref<9x14xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== length_of_a_tile | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<()[s0, s1] -> (32, s0 - s1)>
#map1 = affine_map<()[s0, s1] -> (8, s0 - s1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @length_of_a_tile(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = affine.min #map()[%arg0, %arg1]
    %1 = affine.min #map1()[%arg0, %arg1]
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %2 = arith.muli %c1, %c4 : index
    %3 = arith.muli %c1, %c8 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%0, %1) step (%2, %3) {
      %4 = affine.min #map2(%2, %0, %arg4)
      %5 = affine.min #map2(%3, %1, %arg5)
      scf.parallel (%arg6, %arg7) = (%c0_0, %c0_0) to (%4, %5) step (%c1, %c1) {
        %6 = arith.addi %arg6, %arg4 : index
        %7 = arith.addi %arg7, %arg5 : index
        %8 = memref.load %arg2[%6, %7] : memref<?x?xf32>
        %9 = arith.mulf %8, %8 : f32
        memref.store %9, %arg3[%6, %7] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== length_of_a_tile | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
#map = affine_map<()[s0, s1] -> (32, s0 - s1)>
#map1 = affine_map<()[s0, s1] -> (8, s0 - s1)>
module {
  func.func @length_of_a_tile(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = affine.min #map()[%arg0, %arg1]
    %1 = affine.min #map1()[%arg0, %arg1]
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %2 = arith.muli %c1, %c4 : index
    %3 = arith.muli %c1, %c8 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%0, %1) step (%2, %3) {
      scf.parallel (%arg6, %arg7) = (%c0_0, %c0_0) to (%2, %3) step (%c1, %c1) {
        %4 = arith.addi %arg6, %arg4 : index
        %5 = arith.addi %arg7, %arg5 : index
        %true = arith.constant true
        %6 = arith.muli %arg6, %c1 : index
        %7 = arith.addi %6, %arg4 : index
        %8 = arith.cmpi ult, %7, %0 : index
        %9 = arith.andi %true, %8 : i1
        %10 = arith.muli %arg7, %c1 : index
        %11 = arith.addi %10, %arg5 : index
        %12 = arith.cmpi ult, %11, %1 : index
        %13 = arith.andi %9, %12 : i1
        scf.if %13 {
          %14 = memref.load %arg2[%4, %5] : memref<?x?xf32>
          %15 = arith.mulf %14, %14 : f32
          memref.store %15, %arg3[%4, %5] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== length_of_a_tile | mlir-opt 22 | test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
#map = affine_map<()[s0, s1] -> (32, s0 - s1)>
#map1 = affine_map<()[s0, s1] -> (8, s0 - s1)>
module {
  func.func @length_of_a_tile(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = affine.min #map()[%arg0, %arg1]
    %1 = affine.min #map1()[%arg0, %arg1]
    %c0_0 = arith.constant 0 : index
    %c1_1 = arith.constant 1 : index
    %c1_2 = arith.constant 1 : index
    %2 = arith.muli %c1_2, %0 : index
    %3 = arith.muli %2, %1 : index
    scf.parallel (%arg4) = (%c0_0) to (%3) step (%c1_1) {
      %4 = arith.remsi %arg4, %1 : index
      %5 = arith.divsi %arg4, %1 : index
      %6 = memref.load %arg2[%5, %4] : memref<?x?xf32>
      %7 = arith.mulf %6, %6 : f32
      memref.store %7, %arg3[%5, %4] : memref<?x?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== length_of_a_tile | mlir-opt 22 | scf-parallel-loop-specialization
#map = affine_map<()[s0, s1] -> (32, s0 - s1)>
#map1 = affine_map<()[s0, s1] -> (8, s0 - s1)>
module {
  func.func @length_of_a_tile(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = affine.min #map()[%arg0, %arg1]
    %1 = affine.min #map1()[%arg0, %arg1]
    %c32 = arith.constant 32 : index
    %2 = arith.cmpi eq, %0, %c32 : index
    %c8 = arith.constant 8 : index
    %3 = arith.cmpi eq, %1, %c8 : index
    %4 = arith.andi %2, %3 : i1
    scf.if %4 {
      scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%c32, %c8) step (%c1, %c1) {
        %5 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %6 = arith.mulf %5, %5 : f32
        memref.store %6, %arg3[%arg4, %arg5] : memref<?x?xf32>
        scf.reduce 
      }
    } else {
      scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%0, %1) step (%c1, %c1) {
        %5 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %6 = arith.mulf %5, %5 : f32
        memref.store %6, %arg3[%arg4, %arg5] : memref<?x?xf32>
        scf.reduce 
      }
    }
    return
  }
}
// ===== length_of_a_tile | mlir-opt 22 | scf-parallel-for-to-nested-fors
#map = affine_map<()[s0, s1] -> (32, s0 - s1)>
#map1 = affine_map<()[s0, s1] -> (8, s0 - s1)>
module {
  func.func @length_of_a_tile(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = affine.min #map()[%arg0, %arg1]
    %1 = affine.min #map1()[%arg0, %arg1]
    scf.for %arg4 = %c0 to %0 step %c1 {
      scf.for %arg5 = %c0 to %1 step %c1 {
        %2 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.mulf %2, %2 : f32
        memref.store %3, %arg3[%arg4, %arg5] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== length_of_a_tile | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
#map = affine_map<()[s0, s1] -> (32, s0 - s1)>
#map1 = affine_map<()[s0, s1] -> (8, s0 - s1)>
#map2 = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
#map3 = affine_map<(d0)[s0] -> (-d0 + s0, 1)>
module {
  func.func @length_of_a_tile(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = affine.min #map()[%arg0, %arg1]
    %1 = affine.min #map1()[%arg0, %arg1]
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%0, %1) step (%c3, %c1) {
      %2 = affine.min #map2(%arg4)[%0]
      %3 = affine.min #map3(%arg5)[%1]
      scf.parallel (%arg6, %arg7) = (%c0, %c0) to (%2, %3) step (%c1, %c1) {
        %4 = arith.addi %arg6, %arg4 : index
        %5 = arith.addi %arg7, %arg5 : index
        %6 = memref.load %arg2[%4, %5] : memref<?x?xf32>
        %7 = arith.mulf %6, %6 : f32
        memref.store %7, %arg3[%4, %5] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== length_of_a_tile | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
#map = affine_map<()[s0, s1] -> (32, s0 - s1)>
#map1 = affine_map<()[s0, s1] -> (8, s0 - s1)>
module {
  func.func @length_of_a_tile(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = affine.min #map()[%arg0, %arg1]
    %1 = affine.min #map1()[%arg0, %arg1]
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %2 = arith.muli %c1, %c4 : index
    %3 = arith.muli %c1, %c8 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%0, %1) step (%2, %3) {
      scf.parallel (%arg6, %arg7) = (%c0_0, %c0_0) to (%2, %3) step (%c1, %c1) {
        %4 = arith.addi %arg6, %arg4 : index
        %5 = arith.addi %arg7, %arg5 : index
        %true = arith.constant true
        %6 = arith.muli %arg6, %c1 : index
        %7 = arith.addi %6, %arg4 : index
        %8 = arith.cmpi slt, %7, %0 : index
        %9 = arith.andi %true, %8 : i1
        %10 = arith.muli %arg7, %c1 : index
        %11 = arith.addi %10, %arg5 : index
        %12 = arith.cmpi slt, %11, %1 : index
        %13 = arith.andi %9, %12 : i1
        scf.if %13 {
          %14 = memref.load %arg2[%4, %5] : memref<?x?xf32>
          %15 = arith.mulf %14, %14 : f32
          memref.store %15, %arg3[%4, %5] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== reduction_of_integers | mlir-opt 22 | sccp
module {
  func.func @reduction_of_integers(%arg0: memref<?x?xi32>, %arg1: memref<1xi32>) {
    %c0_i32 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xi32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xi32>
    %0 = scf.parallel (%arg2, %arg3) = (%c0, %c0) to (%dim, %dim_0) step (%c1, %c1) init (%c0_i32) -> i32 {
      %1 = memref.load %arg0[%arg2, %arg3] : memref<?x?xi32>
      scf.reduce(%1 : i32) {
      ^bb0(%arg4: i32, %arg5: i32):
        %2 = arith.addi %arg4, %arg5 : i32
        scf.reduce.return %2 : i32
      }
    }
    memref.store %0, %arg1[%c0] : memref<1xi32>
    return
  }
}
// ===== serial_rows | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @serial_rows(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %c0_1 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c2, %c8 : index
    scf.parallel (%arg2, %arg3) = (%c0, %c1) to (%dim, %dim_0) step (%0, %1) {
      %2 = affine.min #map(%0, %dim, %arg2)
      %3 = affine.min #map(%1, %dim_0, %arg3)
      scf.parallel (%arg4, %arg5) = (%c0_1, %c0_1) to (%2, %3) step (%c1, %c2) {
        %4 = arith.addi %arg4, %arg2 : index
        %5 = arith.addi %arg5, %arg3 : index
        %6 = memref.load %arg0[%4, %5] : memref<?x?xf32>
        memref.store %6, %arg1[%4, %5] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== serial_rows | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @serial_rows(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %c0_1 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c2, %c8 : index
    scf.parallel (%arg2, %arg3) = (%c0, %c1) to (%dim, %dim_0) step (%0, %1) {
      scf.parallel (%arg4, %arg5) = (%c0_1, %c0_1) to (%0, %1) step (%c1, %c2) {
        %2 = arith.addi %arg4, %arg2 : index
        %3 = arith.addi %arg5, %arg3 : index
        %true = arith.constant true
        %4 = arith.muli %arg4, %c1 : index
        %5 = arith.addi %4, %arg2 : index
        %6 = arith.cmpi ult, %5, %dim : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg5, %c2 : index
        %9 = arith.addi %8, %arg3 : index
        %10 = arith.cmpi ult, %9, %dim_0 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg0[%2, %3] : memref<?x?xf32>
          memref.store %12, %arg1[%2, %3] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== serial_rows | mlir-opt 22 | test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
#map = affine_map<()[s0] -> ((s0 - 1) ceildiv 2)>
#map1 = affine_map<(d0) -> (d0 * 2 + 1)>
module {
  func.func @serial_rows(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %0 = affine.apply #map()[%dim_0]
    %c0_1 = arith.constant 0 : index
    %c1_2 = arith.constant 1 : index
    %c1_3 = arith.constant 1 : index
    %1 = arith.muli %c1_3, %dim : index
    %2 = arith.muli %1, %0 : index
    scf.parallel (%arg2) = (%c0_1) to (%2) step (%c1_2) {
      %3 = arith.remsi %arg2, %0 : index
      %4 = arith.divsi %arg2, %0 : index
      %5 = affine.apply #map1(%3)
      %6 = memref.load %arg0[%4, %5] : memref<?x?xf32>
      memref.store %6, %arg1[%4, %5] : memref<?x?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== serial_rows | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @serial_rows(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg2 = %c0 to %dim step %c1 {
      scf.for %arg3 = %c1 to %dim_0 step %c2 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        memref.store %0, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== serial_rows | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
#map = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
#map1 = affine_map<(d0)[s0] -> (-d0 + s0, 2)>
module {
  func.func @serial_rows(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.parallel (%arg2, %arg3) = (%c0, %c1) to (%dim, %dim_0) step (%c3, %c2) {
      %0 = affine.min #map(%arg2)[%dim]
      %1 = affine.min #map1(%arg3)[%dim_0]
      scf.parallel (%arg4, %arg5) = (%c0, %c0) to (%0, %1) step (%c1, %c2) {
        %2 = arith.addi %arg4, %arg2 : index
        %3 = arith.addi %arg5, %arg3 : index
        %4 = memref.load %arg0[%2, %3] : memref<?x?xf32>
        memref.store %4, %arg1[%2, %3] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== serial_rows | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @serial_rows(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %c0_1 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c2, %c8 : index
    scf.parallel (%arg2, %arg3) = (%c0, %c1) to (%dim, %dim_0) step (%0, %1) {
      scf.parallel (%arg4, %arg5) = (%c0_1, %c0_1) to (%0, %1) step (%c1, %c2) {
        %2 = arith.addi %arg4, %arg2 : index
        %3 = arith.addi %arg5, %arg3 : index
        %true = arith.constant true
        %4 = arith.muli %arg4, %c1 : index
        %5 = arith.addi %4, %arg2 : index
        %6 = arith.cmpi slt, %5, %dim : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg5, %c2 : index
        %9 = arith.addi %8, %arg3 : index
        %10 = arith.cmpi slt, %9, %dim_0 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg0[%2, %3] : memref<?x?xf32>
          memref.store %12, %arg1[%2, %3] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== forall_over_a_matrix | mlir-opt 22 | scf-forall-to-for
module {
  func.func @forall_over_a_matrix(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1_1 = arith.constant 1 : index
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      scf.for %arg5 = %c0_0 to %arg1 step %c1_1 {
        %0 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %1 = arith.addf %0, %0 : f32
        memref.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== forall_over_a_matrix | mlir-opt 22 | scf-forall-to-parallel
module {
  func.func @forall_over_a_matrix(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1_1 = arith.constant 1 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0_0) to (%arg0, %arg1) step (%c1, %c1_1) {
      %0 = memref.load %arg2[%arg4, %arg5] : memref<?x?xf32>
      %1 = arith.addf %0, %0 : f32
      memref.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== forall_of_fixed_range | mlir-opt 22 | scf-forall-to-for
module {
  func.func @forall_of_fixed_range(%arg0: memref<20xi32>, %arg1: memref<20xi32>) {
    %c2 = arith.constant 2 : index
    %c19 = arith.constant 19 : index
    %c3 = arith.constant 3 : index
    scf.for %arg2 = %c2 to %c19 step %c3 {
      %0 = memref.load %arg0[%arg2] : memref<20xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      memref.store %2, %arg1[%arg2] : memref<20xi32>
    }
    return
  }
}
// ===== forall_of_fixed_range | mlir-opt 22 | scf-forall-to-parallel
module {
  func.func @forall_of_fixed_range(%arg0: memref<20xi32>, %arg1: memref<20xi32>) {
    %c2 = arith.constant 2 : index
    %c19 = arith.constant 19 : index
    %c3 = arith.constant 3 : index
    scf.parallel (%arg2) = (%c2) to (%c19) step (%c3) {
      %0 = memref.load %arg0[%arg2] : memref<20xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      memref.store %2, %arg1[%arg2] : memref<20xi32>
      scf.reduce 
    }
    return
  }
}
// ===== forall_with_lower_bounds | mlir-opt 22 | scf-forall-to-for
module {
  func.func @forall_with_lower_bounds(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c2 = arith.constant 2 : index
    scf.for %arg4 = %arg0 to %arg1 step %c2 {
      %0 = memref.load %arg2[%arg4] : memref<?xf32>
      memref.store %0, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== forall_with_lower_bounds | mlir-opt 22 | scf-forall-to-parallel
module {
  func.func @forall_with_lower_bounds(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c2 = arith.constant 2 : index
    scf.parallel (%arg4) = (%arg0) to (%arg1) step (%c2) {
      %0 = memref.load %arg2[%arg4] : memref<?xf32>
      memref.store %0, %arg3[%arg4] : memref<?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== dimension_of_one_iteration | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8}
#map = affine_map<(d0, d1, d2) -> (d0, d1 - d2)>
module {
  func.func @dimension_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c2) to (%arg0, %c3) step (%0, %1) {
      %2 = affine.min #map(%0, %arg0, %arg3)
      %3 = affine.min #map(%1, %c3, %arg4)
      scf.parallel (%arg5, %arg6) = (%c0_0, %c0_0) to (%2, %3) step (%c1, %c1) {
        %4 = arith.addi %arg5, %arg3 : index
        %5 = arith.addi %arg6, %arg4 : index
        %6 = memref.load %arg1[%4, %5] : memref<?x4xf32>
        %7 = arith.negf %6 : f32
        memref.store %7, %arg2[%4, %5] : memref<?x4xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== dimension_of_one_iteration | mlir-opt 22 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @dimension_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c2) to (%arg0, %c3) step (%0, %1) {
      scf.parallel (%arg5, %arg6) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c1) {
        %2 = arith.addi %arg5, %arg3 : index
        %3 = arith.addi %arg6, %arg4 : index
        %true = arith.constant true
        %4 = arith.muli %arg5, %c1 : index
        %5 = arith.addi %4, %arg3 : index
        %6 = arith.cmpi ult, %5, %arg0 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg6, %c1 : index
        %9 = arith.addi %8, %arg4 : index
        %10 = arith.cmpi ult, %9, %c3 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg1[%2, %3] : memref<?x4xf32>
          %13 = arith.negf %12 : f32
          memref.store %13, %arg2[%2, %3] : memref<?x4xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== dimension_of_one_iteration | mlir-opt 22 | test-scf-parallel-loop-collapsing{collapsed-indices-0=0,1}
#map = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @dimension_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c1_0 = arith.constant 1 : index
    %c0_1 = arith.constant 0 : index
    %c1_2 = arith.constant 1 : index
    %c1_3 = arith.constant 1 : index
    %0 = arith.muli %c1_3, %arg0 : index
    %1 = arith.muli %0, %c1_0 : index
    scf.parallel (%arg3) = (%c0_1) to (%1) step (%c1_2) {
      %2 = arith.remsi %arg3, %c1_0 : index
      %3 = arith.divsi %arg3, %c1_0 : index
      %4 = affine.apply #map(%2)
      %5 = memref.load %arg1[%3, %4] : memref<?x4xf32>
      %6 = arith.negf %5 : f32
      memref.store %6, %arg2[%3, %4] : memref<?x4xf32>
      scf.reduce 
    }
    return
  }
}
// ===== dimension_of_one_iteration | mlir-opt 22 | scf-parallel-for-to-nested-fors
module {
  func.func @dimension_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      scf.for %arg4 = %c2 to %c3 step %c1 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x4xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %arg2[%arg3, %arg4] : memref<?x4xf32>
      }
    }
    return
  }
}
// ===== dimension_of_one_iteration | mlir-opt 22 | canonicalize
module {
  func.func @dimension_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.parallel (%arg3) = (%c0) to (%arg0) step (%c1) {
      %0 = memref.load %arg1[%arg3, %c2] : memref<?x4xf32>
      %1 = arith.negf %0 : f32
      memref.store %1, %arg2[%arg3, %c2] : memref<?x4xf32>
      scf.reduce 
    }
    return
  }
}
// ===== dimension_of_one_iteration | mlir-opt 22 | scf-parallel-loop-fusion,scf-parallel-loop-tiling{parallel-loop-tile-sizes=3},canonicalize,cse
#map = affine_map<(d0)[s0] -> (-d0 + s0, 3)>
module {
  func.func @dimension_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?x4xf32>) {
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.parallel (%arg3) = (%c0) to (%arg0) step (%c3) {
      %0 = affine.min #map(%arg3)[%arg0]
      scf.parallel (%arg4) = (%c0) to (%0) step (%c1) {
        %1 = arith.addi %arg4, %arg3 : index
        %2 = memref.load %arg1[%1, %c2] : memref<?x4xf32>
        %3 = arith.negf %2 : f32
        memref.store %3, %arg2[%1, %c2] : memref<?x4xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== dimension_of_one_iteration | iree-opt 24 | scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,8 no-min-max-bounds=true}
module {
  func.func @dimension_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c0_0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %c1, %c4 : index
    %1 = arith.muli %c1, %c8 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c2) to (%arg0, %c3) step (%0, %1) {
      scf.parallel (%arg5, %arg6) = (%c0_0, %c0_0) to (%0, %1) step (%c1, %c1) {
        %2 = arith.addi %arg5, %arg3 : index
        %3 = arith.addi %arg6, %arg4 : index
        %true = arith.constant true
        %4 = arith.muli %arg5, %c1 : index
        %5 = arith.addi %4, %arg3 : index
        %6 = arith.cmpi slt, %5, %arg0 : index
        %7 = arith.andi %true, %6 : i1
        %8 = arith.muli %arg6, %c1 : index
        %9 = arith.addi %8, %arg4 : index
        %10 = arith.cmpi slt, %9, %c3 : index
        %11 = arith.andi %7, %10 : i1
        scf.if %11 {
          %12 = memref.load %arg1[%2, %3] : memref<?x4xf32>
          %13 = arith.negf %12 : f32
          memref.store %13, %arg2[%2, %3] : memref<?x4xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
