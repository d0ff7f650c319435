// ===== call_in_a_loop | mlir-opt 22 | inline
module {
  func.func @call_in_a_loop(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== call_in_a_loop | mlir-opt 22 | lower-affine
module {
  func.func private @square(%arg0: f32) -> f32 {
    %0 = arith.mulf %arg0, %arg0 : f32
    return %0 : f32
  }
  func.func @call_in_a_loop(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = func.call @square(%0) : (f32) -> f32
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== call_on_buffers | mlir-opt 22 | inline
module {
  func.func @call_on_buffers(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim {
      %0 = affine.load %arg0[%arg2] : memref<?xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %arg1[%arg2] : memref<?xf32>
    }
    %dim_0 = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim_0 {
      %0 = affine.load %arg1[%arg2] : memref<?xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== call_on_buffers | mlir-opt 22 | lower-affine
module {
  func.func private @negate(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0_0 to %dim step %c1 {
      %0 = memref.load %arg0[%arg2] : memref<?xf32>
      %1 = arith.negf %0 : f32
      memref.store %1, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
  func.func @call_on_buffers(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    call @negate(%arg0, %arg1) : (memref<?xf32>, memref<?xf32>) -> ()
    call @negate(%arg1, %arg0) : (memref<?xf32>, memref<?xf32>) -> ()
    return
  }
}
// ===== invariant_product | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @invariant_product(%arg0: index, %arg1: f32, %arg2: f32, %arg3: memref<?xf32>) {
    %0 = arith.mulf %arg1, %arg2 : f32
    affine.for %arg4 = 0 to %arg0 {
      %1 = affine.load %arg3[%arg4] : memref<?xf32>
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== invariant_product | mlir-opt 22 | lower-affine
module {
  func.func @invariant_product(%arg0: index, %arg1: f32, %arg2: f32, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = arith.mulf %arg1, %arg2 : f32
      %1 = memref.load %arg3[%arg4] : memref<?xf32>
      %2 = arith.addf %1, %0 : f32
      memref.store %2, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== invariant_of_two_loops | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @invariant_of_two_loops(%arg0: index, %arg1: index, %arg2: i32, %arg3: memref<?x?xi32>) {
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.muli %arg2, %c3_i32 : i32
    affine.for %arg4 = 0 to %arg0 {
      %1 = arith.index_cast %arg4 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.for %arg5 = 0 to %arg1 {
        affine.store %2, %arg3[%arg4, %arg5] : memref<?x?xi32>
      }
    }
    return
  }
}
// ===== invariant_of_two_loops | mlir-opt 22 | lower-affine
module {
  func.func @invariant_of_two_loops(%arg0: index, %arg1: index, %arg2: i32, %arg3: memref<?x?xi32>) {
    %c3_i32 = arith.constant 3 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg5 = %c0_0 to %arg1 step %c1_1 {
        %0 = arith.muli %arg2, %c3_i32 : i32
        %1 = arith.index_cast %arg4 : index to i32
        %2 = arith.addi %0, %1 : i32
        memref.store %2, %arg3[%arg4, %arg5] : memref<?x?xi32>
      }
    }
    return
  }
}
// ===== rounding_divisions | mlir-opt 22 | lower-affine
module {
  func.func @rounding_divisions(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c7_i32 = arith.constant 7 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.floordivsi %0, %c7_i32 : i32
      %2 = arith.ceildivsi %0, %c7_i32 : i32
      %3 = arith.addi %1, %2 : i32
      memref.store %3, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== rounding_divisions | mlir-opt 22 | arith-expand
module {
  func.func @rounding_divisions(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c7_i32 = arith.constant 7 : i32
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.divsi %0, %c7_i32 : i32
      %2 = arith.muli %1, %c7_i32 : i32
      %3 = arith.cmpi ne, %0, %2 : i32
      %c0_i32 = arith.constant 0 : i32
      %4 = arith.cmpi slt, %0, %c0_i32 : i32
      %5 = arith.cmpi slt, %c7_i32, %c0_i32 : i32
      %6 = arith.cmpi ne, %4, %5 : i1
      %7 = arith.andi %3, %6 : i1
      %c-1_i32 = arith.constant -1 : i32
      %8 = arith.addi %1, %c-1_i32 : i32
      %9 = arith.select %7, %8, %1 : i32
      %c0_i32_0 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %10 = arith.divsi %0, %c7_i32 : i32
      %11 = arith.muli %10, %c7_i32 : i32
      %12 = arith.cmpi ne, %0, %11 : i32
      %13 = arith.cmpi slt, %0, %c0_i32_0 : i32
      %14 = arith.cmpi slt, %c7_i32, %c0_i32_0 : i32
      %15 = arith.cmpi eq, %13, %14 : i1
      %16 = arith.andi %12, %15 : i1
      %17 = arith.addi %10, %c1_i32 : i32
      %18 = arith.select %16, %17, %10 : i32
      %19 = arith.addi %9, %18 : i32
      affine.store %19, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== smallest_and_largest | mlir-opt 22 | sccp
module {
  func.func @smallest_and_largest(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c5_i32 = arith.constant 5 : i32
    %c-5_i32 = arith.constant -5 : i32
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.maxsi %0, %c-5_i32 : i32
      %2 = arith.minsi %1, %c5_i32 : i32
      affine.store %2, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== smallest_and_largest | mlir-opt 22 | lower-affine
module {
  func.func @smallest_and_largest(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c-5_i32 = arith.constant -5 : i32
    %c5_i32 = arith.constant 5 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.maxsi %0, %c-5_i32 : i32
      %2 = arith.minsi %1, %c5_i32 : i32
      memref.store %2, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== smallest_and_largest | mlir-opt 22 | arith-expand
module {
  func.func @smallest_and_largest(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c-5_i32 = arith.constant -5 : i32
    %c5_i32 = arith.constant 5 : i32
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.cmpi sgt, %0, %c-5_i32 : i32
      %2 = arith.select %1, %0, %c-5_i32 : i32
      %3 = arith.cmpi slt, %2, %c5_i32 : i32
      %4 = arith.select %3, %2, %c5_i32 : i32
      affine.store %4, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== casts_there_and_back | mlir-opt 22 | canonicalize
module {
  func.func @casts_there_and_back(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xi32>
      affine.store %0, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== casts_there_and_back | mlir-opt 22 | lower-affine
module {
  func.func @casts_there_and_back(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.extsi %0 : i32 to i64
      %2 = arith.trunci %1 : i64 to i32
      %3 = arith.index_cast %2 : i32 to index
      %4 = arith.index_cast %3 : index to i32
      memref.store %4, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== casts_there_and_back | mlir-opt 22 | math-expand-ops
module {
  func.func @casts_there_and_back(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.index_cast %0 : i32 to index
      %2 = arith.index_cast %1 : index to i32
      affine.store %2, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== comparisons_fold | mlir-opt 22 | canonicalize
module {
  func.func @comparisons_fold(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xi32>
      %1 = affine.load %arg2[%arg3] : memref<?xi32>
      %2 = arith.cmpi sge, %0, %1 : i32
      %3 = arith.select %2, %0, %1 : i32
      affine.store %3, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== comparisons_fold | mlir-opt 22 | lower-affine
module {
  func.func @comparisons_fold(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %true = arith.constant true
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xi32>
      %1 = memref.load %arg2[%arg3] : memref<?xi32>
      %2 = arith.cmpi slt, %0, %1 : i32
      %3 = arith.xori %2, %true : i1
      %4 = arith.select %3, %0, %1 : i32
      memref.store %4, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== comparisons_fold | iree-opt 24 | canonicalize
module {
  func.func @comparisons_fold(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xi32>
      %1 = affine.load %arg2[%arg3] : memref<?xi32>
      %2 = arith.maxsi %0, %1 : i32
      affine.store %2, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== floats_are_not_reordered | mlir-opt 22 | canonicalize
module {
  func.func @floats_are_not_reordered(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.addf %0, %cst : f32
      affine.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== floats_are_not_reordered | mlir-opt 22 | sccp
module {
  func.func @floats_are_not_reordered(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %cst_0 : f32
      %2 = arith.addf %1, %cst : f32
      %3 = arith.negf %2 : f32
      %4 = arith.negf %3 : f32
      affine.store %4, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== floats_are_not_reordered | mlir-opt 22 | lower-affine
module {
  func.func @floats_are_not_reordered(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %cst : f32
      %2 = arith.addf %1, %cst_0 : f32
      %3 = arith.negf %2 : f32
      %4 = arith.negf %3 : f32
      memref.store %4, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== constants_of_a_fixed_loop | mlir-opt 22 | canonicalize
module {
  func.func @constants_of_a_fixed_loop(%arg0: memref<10xi32>) {
    %c24_i32 = arith.constant 24 : i32
    affine.for %arg1 = 0 to 10 {
      %0 = affine.load %arg0[%arg1] : memref<10xi32>
      %1 = arith.addi %0, %c24_i32 : i32
      affine.store %1, %arg0[%arg1] : memref<10xi32>
    }
    return
  }
}
// ===== constants_of_a_fixed_loop | mlir-opt 22 | sccp
module {
  func.func @constants_of_a_fixed_loop(%arg0: memref<10xi32>) {
    %c24_i32 = arith.constant 24 : i32
    %c6_i32 = arith.constant 6 : i32
    %c3_i32 = arith.constant 3 : i32
    %c2_i32 = arith.constant 2 : i32
    affine.for %arg1 = 0 to 10 {
      %0 = affine.load %arg0[%arg1] : memref<10xi32>
      %1 = arith.addi %0, %c24_i32 : i32
      affine.store %1, %arg0[%arg1] : memref<10xi32>
    }
    return
  }
}
// ===== constants_of_a_fixed_loop | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @constants_of_a_fixed_loop(%arg0: memref<10xi32>) {
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %0 = arith.muli %c2_i32, %c3_i32 : i32
    %1 = arith.shli %0, %c2_i32 : i32
    affine.for %arg1 = 0 to 10 {
      %2 = affine.load %arg0[%arg1] : memref<10xi32>
      %3 = arith.addi %2, %1 : i32
      affine.store %3, %arg0[%arg1] : memref<10xi32>
    }
    return
  }
}
// ===== constants_of_a_fixed_loop | mlir-opt 22 | lower-affine
module {
  func.func @constants_of_a_fixed_loop(%arg0: memref<10xi32>) {
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %c0 = arith.constant 0 : index
    %c10 = arith.constant 10 : index
    %c1 = arith.constant 1 : index
    scf.for %arg1 = %c0 to %c10 step %c1 {
      %0 = arith.muli %c2_i32, %c3_i32 : i32
      %1 = arith.shli %0, %c2_i32 : i32
      %2 = memref.load %arg0[%arg1] : memref<10xi32>
      %3 = arith.addi %2, %1 : i32
      memref.store %3, %arg0[%arg1] : memref<10xi32>
    }
    return
  }
}
// ===== raised_accesses | mlir-opt 22 | lower-affine
module {
  func.func @raised_accesses(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c1_0 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1_0 {
      %0 = arith.addi %arg3, %c1 : index
      %1 = memref.load %arg1[%0] : memref<?xf32>
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== raised_accesses | mlir-opt 22 | affine-raise-from-memref
module {
  func.func @raised_accesses(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    affine.for %arg3 = 0 to %arg0 {
      %0 = arith.addi %arg3, %c1 : index
      %1 = affine.load %arg1[%arg3 + 1] : memref<?xf32>
      affine.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== signs_of_fixed_ranges | mlir-opt 22 | sccp
module {
  func.func @signs_of_fixed_ranges(%arg0: memref<12x4xf32>, %arg1: memref<48xf32>) {
    %c48 = arith.constant 48 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg2 = %c0 to %c48 step %c1 {
      %0 = arith.divsi %arg2, %c4 : index
      %1 = arith.remsi %arg2, %c4 : index
      %2 = memref.load %arg0[%0, %1] : memref<12x4xf32>
      memref.store %2, %arg1[%arg2] : memref<48xf32>
    }
    return
  }
}
// ===== signs_of_fixed_ranges | mlir-opt 22 | arith-unsigned-when-equivalent
module {
  func.func @signs_of_fixed_ranges(%arg0: memref<12x4xf32>, %arg1: memref<48xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c48 = arith.constant 48 : index
    scf.for %arg2 = %c0 to %c48 step %c1 {
      %0 = arith.divui %arg2, %c4 : index
      %1 = arith.remui %arg2, %c4 : index
      %2 = memref.load %arg0[%0, %1] : memref<12x4xf32>
      memref.store %2, %arg1[%arg2] : memref<48xf32>
    }
    return
  }
}
// ===== common_subscripts | mlir-opt 22 | canonicalize
module {
  func.func @common_subscripts(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3 * 3 + 1] : memref<?xf32>
      %1 = affine.load %arg2[%arg3 * 3 + 1] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %arg2[%arg3 * 3 + 1] : memref<?xf32>
    }
    return
  }
}
// ===== common_subscripts | mlir-opt 22 | cse
#map = affine_map<(d0) -> (d0 * 3 + 1)>
module {
  func.func @common_subscripts(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.apply #map(%arg3)
      %1 = affine.load %arg1[%0] : memref<?xf32>
      %2 = affine.load %arg2[%0] : memref<?xf32>
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg2[%0] : memref<?xf32>
    }
    return
  }
}
// ===== common_subscripts | mlir-opt 22 | lower-affine
module {
  func.func @common_subscripts(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c3 = arith.constant 3 : index
      %0 = arith.muli %arg3, %c3 overflow<nsw> : index
      %c1_0 = arith.constant 1 : index
      %1 = arith.addi %0, %c1_0 : index
      %c3_1 = arith.constant 3 : index
      %2 = arith.muli %arg3, %c3_1 overflow<nsw> : index
      %c1_2 = arith.constant 1 : index
      %3 = arith.addi %2, %c1_2 : index
      %4 = memref.load %arg1[%1] : memref<?xf32>
      %5 = memref.load %arg2[%3] : memref<?xf32>
      %6 = arith.addf %4, %5 : f32
      memref.store %6, %arg2[%3] : memref<?xf32>
    }
    return
  }
}
// ===== fused_multiply_add | mlir-opt 22 | lower-affine
module {
  func.func @fused_multiply_add(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = memref.load %arg2[%arg3] : memref<?xf32>
      %2 = math.fma %0, %1, %0 : f32
      memref.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== fused_multiply_add | mlir-opt 22 | math-expand-ops
module {
  func.func @fused_multiply_add(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      %1 = affine.load %arg2[%arg3] : memref<?xf32>
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.addf %2, %0 : f32
      affine.store %3, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
