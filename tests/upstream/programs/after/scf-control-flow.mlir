// ===== branch_on_data | mlir-opt 22 | canonicalize
module {
  func.func @branch_on_data(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.cmpf ogt, %0, %cst : f32
      %2 = arith.select %1, %0, %cst : f32
      memref.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== branch_on_data | mlir-opt 22 | sccp
module {
  func.func @branch_on_data(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.cmpf ogt, %0, %cst : f32
      %2 = scf.if %1 -> (f32) {
        scf.yield %0 : f32
      } else {
        scf.yield %cst : f32
      }
      memref.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== branch_on_data | mlir-opt 22 | sccp,canonicalize
module {
  func.func @branch_on_data(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.cmpf ogt, %0, %cst : f32
      %2 = arith.select %1, %0, %cst : f32
      memref.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== branch_on_data | mlir-opt 22 | scf-for-to-while
module {
  func.func @branch_on_data(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = scf.while (%arg3 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg3, %arg0 : index
      scf.condition(%1) %arg3 : index
    } do {
    ^bb0(%arg3: index):
      %1 = arith.addi %arg3, %c1 : index
      %2 = memref.load %arg1[%arg3] : memref<?xf32>
      %3 = arith.cmpf ogt, %2, %cst : f32
      %4 = scf.if %3 -> (f32) {
        scf.yield %2 : f32
      } else {
        scf.yield %cst : f32
      }
      memref.store %4, %arg2[%arg3] : memref<?xf32>
      scf.yield %1 : index
    }
    return
  }
}
// ===== store_in_a_branch_on_data | mlir-opt 22 | sccp
module {
  func.func @store_in_a_branch_on_data(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c10_i32 = arith.constant 10 : i32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.cmpi slt, %0, %c10_i32 : i32
      scf.if %1 {
        %2 = arith.addi %0, %c10_i32 : i32
        %3 = arith.addi %0, %c10_i32 : i32
        %4 = arith.muli %2, %3 : i32
        memref.store %4, %arg2[%arg3] : memref<?xi32>
      }
    }
    return
  }
}
// ===== store_in_a_branch_on_data | mlir-opt 22 | cse
module {
  func.func @store_in_a_branch_on_data(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10_i32 = arith.constant 10 : i32
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.cmpi slt, %0, %c10_i32 : i32
      scf.if %1 {
        %2 = arith.addi %0, %c10_i32 : i32
        %3 = arith.muli %2, %2 : i32
        memref.store %3, %arg2[%arg3] : memref<?xi32>
      }
    }
    return
  }
}
// ===== store_in_a_branch_on_data | mlir-opt 22 | scf-for-to-while
module {
  func.func @store_in_a_branch_on_data(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10_i32 = arith.constant 10 : i32
    %0 = scf.while (%arg3 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg3, %arg0 : index
      scf.condition(%1) %arg3 : index
    } do {
    ^bb0(%arg3: index):
      %1 = arith.addi %arg3, %c1 : index
      %2 = memref.load %arg1[%arg3] : memref<?xi32>
      %3 = arith.cmpi slt, %2, %c10_i32 : i32
      scf.if %3 {
        %4 = arith.addi %2, %c10_i32 : i32
        %5 = arith.addi %2, %c10_i32 : i32
        %6 = arith.muli %4, %5 : i32
        memref.store %6, %arg2[%arg3] : memref<?xi32>
      }
      scf.yield %1 : index
    }
    return
  }
}
// ===== condition_inside_its_own_branch | mlir-opt 22 | canonicalize
module {
  func.func @condition_inside_its_own_branch(%arg0: index, %arg1: index, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = arith.cmpi slt, %arg3, %arg1 : index
      scf.if %0 {
        memref.store %cst, %arg2[%arg3] : memref<?xf32>
      } else {
        memref.store %cst_0, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== condition_inside_its_own_branch | mlir-opt 22 | sccp
module {
  func.func @condition_inside_its_own_branch(%arg0: index, %arg1: index, %arg2: memref<?xf32>) {
    %cst = arith.constant 2.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = arith.cmpi slt, %arg3, %arg1 : index
      scf.if %0 {
        scf.if %0 {
          memref.store %cst_0, %arg2[%arg3] : memref<?xf32>
        } else {
          memref.store %cst, %arg2[%arg3] : memref<?xf32>
        }
      } else {
        %1 = arith.select %0, %cst_0, %cst : f32
        memref.store %1, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== condition_inside_its_own_branch | mlir-opt 22 | sccp,canonicalize
module {
  func.func @condition_inside_its_own_branch(%arg0: index, %arg1: index, %arg2: memref<?xf32>) {
    %cst = arith.constant 2.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = arith.cmpi slt, %arg3, %arg1 : index
      scf.if %0 {
        memref.store %cst_0, %arg2[%arg3] : memref<?xf32>
      } else {
        memref.store %cst, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== condition_inside_its_own_branch | mlir-opt 22 | scf-for-to-while
module {
  func.func @condition_inside_its_own_branch(%arg0: index, %arg1: index, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %0 = scf.while (%arg3 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg3, %arg0 : index
      scf.condition(%1) %arg3 : index
    } do {
    ^bb0(%arg3: index):
      %1 = arith.addi %arg3, %c1 : index
      %2 = arith.cmpi slt, %arg3, %arg1 : index
      scf.if %2 {
        scf.if %2 {
          memref.store %cst, %arg2[%arg3] : memref<?xf32>
        } else {
          memref.store %cst_0, %arg2[%arg3] : memref<?xf32>
        }
      } else {
        %3 = arith.select %2, %cst, %cst_0 : f32
        memref.store %3, %arg2[%arg3] : memref<?xf32>
      }
      scf.yield %1 : index
    }
    return
  }
}
// ===== equal_branches_are_merged | mlir-opt 22 | canonicalize
module {
  func.func @equal_branches_are_merged(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = arith.cmpi slt, %arg4, %arg1 : index
      scf.if %0 {
        memref.store %cst, %arg2[%arg4] : memref<?xf32>
        memref.store %cst_0, %arg3[%arg4] : memref<?xf32>
      } else {
        memref.store %cst, %arg3[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== equal_branches_are_merged | mlir-opt 22 | sccp
module {
  func.func @equal_branches_are_merged(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %cst = arith.constant 2.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = arith.cmpi slt, %arg4, %arg1 : index
      scf.if %0 {
        memref.store %cst_0, %arg2[%arg4] : memref<?xf32>
      }
      scf.if %0 {
        memref.store %cst, %arg3[%arg4] : memref<?xf32>
      } else {
        memref.store %cst_0, %arg3[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== equal_branches_are_merged | mlir-opt 22 | sccp,canonicalize
module {
  func.func @equal_branches_are_merged(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %cst = arith.constant 2.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = arith.cmpi slt, %arg4, %arg1 : index
      scf.if %0 {
        memref.store %cst_0, %arg2[%arg4] : memref<?xf32>
        memref.store %cst, %arg3[%arg4] : memref<?xf32>
      } else {
        memref.store %cst_0, %arg3[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== equal_branches_are_merged | mlir-opt 22 | control-flow-sink
module {
  func.func @equal_branches_are_merged(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 1.000000e+00 : f32
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = arith.cmpi slt, %arg4, %arg1 : index
      scf.if %0 {
        memref.store %cst, %arg2[%arg4] : memref<?xf32>
      }
      scf.if %0 {
        %cst_0 = arith.constant 2.000000e+00 : f32
        memref.store %cst_0, %arg3[%arg4] : memref<?xf32>
      } else {
        memref.store %cst, %arg3[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== equal_branches_are_merged | mlir-opt 22 | scf-for-to-while
module {
  func.func @equal_branches_are_merged(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %0 = scf.while (%arg4 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg4, %arg0 : index
      scf.condition(%1) %arg4 : index
    } do {
    ^bb0(%arg4: index):
      %1 = arith.addi %arg4, %c1 : index
      %2 = arith.cmpi slt, %arg4, %arg1 : index
      scf.if %2 {
        memref.store %cst, %arg2[%arg4] : memref<?xf32>
      }
      scf.if %2 {
        memref.store %cst_0, %arg3[%arg4] : memref<?xf32>
      } else {
        memref.store %cst, %arg3[%arg4] : memref<?xf32>
      }
      scf.yield %1 : index
    }
    return
  }
}
// ===== carried_constant | mlir-opt 22 | canonicalize
module {
  func.func @carried_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5_i32 = arith.constant 5 : i32
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      memref.store %c5_i32, %arg1[%arg2] : memref<?xi32>
    }
    memref.store %c5_i32, %arg1[%c0] : memref<?xi32>
    return
  }
}
// ===== carried_constant | mlir-opt 22 | sccp
module {
  func.func @carried_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c5_i32 = arith.constant 5 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %c5_i32) -> (i32) {
      memref.store %c5_i32, %arg1[%arg2] : memref<?xi32>
      scf.yield %c5_i32 : i32
    }
    memref.store %c5_i32, %arg1[%c0] : memref<?xi32>
    return
  }
}
// ===== carried_constant | mlir-opt 22 | sccp,canonicalize
module {
  func.func @carried_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c5_i32 = arith.constant 5 : i32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      memref.store %c5_i32, %arg1[%arg2] : memref<?xi32>
    }
    memref.store %c5_i32, %arg1[%c0] : memref<?xi32>
    return
  }
}
// ===== carried_constant | mlir-opt 22 | int-range-optimizations
module {
  func.func @carried_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5_i32 = arith.constant 5 : i32
    %0 = scf.for %arg2 = %c0 to %arg0 step %c1 iter_args(%arg3 = %c5_i32) -> (i32) {
      memref.store %c5_i32, %arg1[%arg2] : memref<?xi32>
      scf.yield %c5_i32 : i32
    }
    memref.store %c5_i32, %arg1[%c0] : memref<?xi32>
    return
  }
}
// ===== carried_constant | mlir-opt 22 | scf-for-to-while
module {
  func.func @carried_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5_i32 = arith.constant 5 : i32
    %0:2 = scf.while (%arg2 = %c0, %arg3 = %c5_i32) : (index, i32) -> (index, i32) {
      %1 = arith.cmpi slt, %arg2, %arg0 : index
      scf.condition(%1) %arg2, %arg3 : index, i32
    } do {
    ^bb0(%arg2: index, %arg3: i32):
      %1 = arith.addi %arg2, %c1 : index
      memref.store %arg3, %arg1[%arg2] : memref<?xi32>
      scf.yield %1, %arg3 : index, i32
    }
    memref.store %0#1, %arg1[%c0] : memref<?xi32>
    return
  }
}
// ===== branch_of_a_constant | mlir-opt 22 | canonicalize
module {
  func.func @branch_of_a_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c6_i32 = arith.constant 6 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      memref.store %c6_i32, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== branch_of_a_constant | mlir-opt 22 | sccp
module {
  func.func @branch_of_a_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c6_i32 = arith.constant 6 : i32
    %true = arith.constant true
    %c4_i32 = arith.constant 4 : i32
    %c3_i32 = arith.constant 3 : i32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      memref.store %c6_i32, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== branch_of_a_constant | mlir-opt 22 | sccp,canonicalize
module {
  func.func @branch_of_a_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c6_i32 = arith.constant 6 : i32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      memref.store %c6_i32, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== branch_of_a_constant | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @branch_of_a_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3_i32 = arith.constant 3 : i32
    %c4_i32 = arith.constant 4 : i32
    %true = arith.constant true
    %0 = scf.if %true -> (i32) {
      scf.yield %c3_i32 : i32
    } else {
      scf.yield %c4_i32 : i32
    }
    %1 = arith.addi %0, %c3_i32 : i32
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      memref.store %1, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== branch_of_a_constant | mlir-opt 22 | control-flow-sink
module {
  func.func @branch_of_a_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3_i32 = arith.constant 3 : i32
    %true = arith.constant true
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      %0 = scf.if %true -> (i32) {
        scf.yield %c3_i32 : i32
      } else {
        %c4_i32 = arith.constant 4 : i32
        scf.yield %c4_i32 : i32
      }
      %1 = arith.addi %0, %c3_i32 : i32
      memref.store %1, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== branch_of_a_constant | mlir-opt 22 | scf-for-to-while
module {
  func.func @branch_of_a_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c3_i32 = arith.constant 3 : i32
    %c4_i32 = arith.constant 4 : i32
    %true = arith.constant true
    %0 = scf.while (%arg2 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg2, %arg0 : index
      scf.condition(%1) %arg2 : index
    } do {
    ^bb0(%arg2: index):
      %1 = arith.addi %arg2, %c1 : index
      %2 = scf.if %true -> (i32) {
        scf.yield %c3_i32 : i32
      } else {
        scf.yield %c4_i32 : i32
      }
      %3 = arith.addi %2, %c3_i32 : i32
      memref.store %3, %arg1[%arg2] : memref<?xi32>
      scf.yield %1 : index
    }
    return
  }
}
// ===== branch_of_a_constant | mlir-opt 22 | remove-dead-values
module {
  func.func @branch_of_a_constant(%arg0: index, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      %c6_i32 = arith.constant 6 : i32
      memref.store %c6_i32, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== unused_carried_value | mlir-opt 22 | sccp
module {
  func.func @unused_carried_value(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<1xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0:2 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %cst, %arg5 = %cst) -> (f32, f32) {
      %1 = memref.load %arg1[%arg3] : memref<?xf32>
      %2 = arith.addf %arg4, %1 : f32
      %3 = arith.mulf %arg5, %1 : f32
      scf.yield %2, %3 : f32, f32
    }
    memref.store %0#0, %arg2[%c0] : memref<1xf32>
    return
  }
}
// ===== unused_carried_value | mlir-opt 22 | scf-for-to-while
module {
  func.func @unused_carried_value(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0:3 = scf.while (%arg3 = %c0, %arg4 = %cst, %arg5 = %cst) : (index, f32, f32) -> (index, f32, f32) {
      %1 = arith.cmpi slt, %arg3, %arg0 : index
      scf.condition(%1) %arg3, %arg4, %arg5 : index, f32, f32
    } do {
    ^bb0(%arg3: index, %arg4: f32, %arg5: f32):
      %1 = arith.addi %arg3, %c1 : index
      %2 = memref.load %arg1[%arg3] : memref<?xf32>
      %3 = arith.addf %arg4, %2 : f32
      %4 = arith.mulf %arg5, %2 : f32
      scf.yield %1, %3, %4 : index, f32, f32
    }
    memref.store %0#1, %arg2[%c0] : memref<1xf32>
    return
  }
}
// ===== unused_carried_value | mlir-opt 22 | remove-dead-values
module {
  func.func @unused_carried_value(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = ub.poison : f32
    %1 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %cst) -> (f32) {
      %2 = memref.load %arg1[%arg3] : memref<?xf32>
      %3 = arith.addf %arg4, %2 : f32
      %4 = ub.poison : f32
      scf.yield %3 : f32
    }
    memref.store %1, %arg2[%c0] : memref<1xf32>
    return
  }
}
// ===== loop_of_one_iteration | mlir-opt 22 | canonicalize
module {
  func.func @loop_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3, %c2] : memref<?x4xf32>
      memref.store %0, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== loop_of_one_iteration | mlir-opt 22 | sccp
module {
  func.func @loop_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?xf32>) {
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      scf.for %arg4 = %c2 to %c3 step %c1 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x4xf32>
        memref.store %0, %arg2[%arg3] : memref<?xf32>
      }
      scf.for %arg4 = %c3 to %c2 step %c1 {
        %0 = memref.load %arg1[%arg3, %c0] : memref<?x4xf32>
        memref.store %0, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== loop_of_one_iteration | mlir-opt 22 | sccp,canonicalize
module {
  func.func @loop_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?xf32>) {
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3, %c2] : memref<?x4xf32>
      memref.store %0, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== loop_of_one_iteration | mlir-opt 22 | scf-for-to-while
module {
  func.func @loop_of_one_iteration(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %0 = scf.while (%arg3 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg3, %arg0 : index
      scf.condition(%1) %arg3 : index
    } do {
    ^bb0(%arg3: index):
      %1 = arith.addi %arg3, %c1 : index
      %2 = scf.while (%arg4 = %c2) : (index) -> index {
        %4 = arith.cmpi slt, %arg4, %c3 : index
        scf.condition(%4) %arg4 : index
      } do {
      ^bb0(%arg4: index):
        %4 = arith.addi %arg4, %c1 : index
        %5 = memref.load %arg1[%arg3, %arg4] : memref<?x4xf32>
        memref.store %5, %arg2[%arg3] : memref<?xf32>
        scf.yield %4 : index
      }
      %3 = scf.while (%arg4 = %c3) : (index) -> index {
        %4 = arith.cmpi slt, %arg4, %c2 : index
        scf.condition(%4) %arg4 : index
      } do {
      ^bb0(%arg4: index):
        %4 = arith.addi %arg4, %c1 : index
        %5 = memref.load %arg1[%arg3, %c0] : memref<?x4xf32>
        memref.store %5, %arg2[%arg3] : memref<?xf32>
        scf.yield %4 : index
      }
      scf.yield %1 : index
    }
    return
  }
}
// ===== same_expression_twice | mlir-opt 22 | sccp
module {
  func.func @same_expression_twice(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = memref.load %arg1[%arg3] : memref<?xf32>
      %2 = arith.mulf %0, %1 : f32
      %3 = arith.mulf %0, %1 : f32
      %4 = arith.addf %2, %3 : f32
      memref.store %4, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== same_expression_twice | mlir-opt 22 | cse
module {
  func.func @same_expression_twice(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      %2 = arith.addf %1, %1 : f32
      memref.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== same_expression_twice | mlir-opt 22 | scf-for-to-while
module {
  func.func @same_expression_twice(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.while (%arg3 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg3, %arg0 : index
      scf.condition(%1) %arg3 : index
    } do {
    ^bb0(%arg3: index):
      %1 = arith.addi %arg3, %c1 : index
      %2 = memref.load %arg1[%arg3] : memref<?xf32>
      %3 = memref.load %arg1[%arg3] : memref<?xf32>
      %4 = arith.mulf %2, %3 : f32
      %5 = arith.mulf %2, %3 : f32
      %6 = arith.addf %4, %5 : f32
      memref.store %6, %arg2[%arg3] : memref<?xf32>
      scf.yield %1 : index
    }
    return
  }
}
// ===== load_across_a_store_stays | mlir-opt 22 | sccp
module {
  func.func @load_across_a_store_stays(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = memref.load %arg1[%arg3] : memref<?xf32>
      memref.store %0, %arg1[%c0] : memref<?xf32>
      %2 = memref.load %arg1[%arg3] : memref<?xf32>
      %3 = arith.addf %1, %2 : f32
      memref.store %3, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== load_across_a_store_stays | mlir-opt 22 | cse
module {
  func.func @load_across_a_store_stays(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      memref.store %0, %arg1[%c0] : memref<?xf32>
      %1 = memref.load %arg1[%arg3] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== load_across_a_store_stays | mlir-opt 22 | scf-for-to-while
module {
  func.func @load_across_a_store_stays(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.while (%arg3 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg3, %arg0 : index
      scf.condition(%1) %arg3 : index
    } do {
    ^bb0(%arg3: index):
      %1 = arith.addi %arg3, %c1 : index
      %2 = memref.load %arg1[%arg3] : memref<?xf32>
      %3 = memref.load %arg1[%arg3] : memref<?xf32>
      memref.store %2, %arg1[%c0] : memref<?xf32>
      %4 = memref.load %arg1[%arg3] : memref<?xf32>
      %5 = arith.addf %3, %4 : f32
      memref.store %5, %arg2[%arg3] : memref<?xf32>
      scf.yield %1 : index
    }
    return
  }
}
// ===== value_used_in_one_branch | mlir-opt 22 | sccp
module {
  func.func @value_used_in_one_branch(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg2[%arg4] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      %2 = arith.cmpi slt, %arg4, %arg1 : index
      scf.if %2 {
        memref.store %1, %arg3[%arg4] : memref<?xf32>
      } else {
        memref.store %0, %arg3[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== value_used_in_one_branch | mlir-opt 22 | control-flow-sink
module {
  func.func @value_used_in_one_branch(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg2[%arg4] : memref<?xf32>
      %1 = arith.cmpi slt, %arg4, %arg1 : index
      scf.if %1 {
        %2 = arith.mulf %0, %0 : f32
        memref.store %2, %arg3[%arg4] : memref<?xf32>
      } else {
        memref.store %0, %arg3[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== value_used_in_one_branch | mlir-opt 22 | scf-for-to-while
module {
  func.func @value_used_in_one_branch(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.while (%arg4 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg4, %arg0 : index
      scf.condition(%1) %arg4 : index
    } do {
    ^bb0(%arg4: index):
      %1 = arith.addi %arg4, %c1 : index
      %2 = memref.load %arg2[%arg4] : memref<?xf32>
      %3 = arith.mulf %2, %2 : f32
      %4 = arith.cmpi slt, %arg4, %arg1 : index
      scf.if %4 {
        memref.store %3, %arg3[%arg4] : memref<?xf32>
      } else {
        memref.store %2, %arg3[%arg4] : memref<?xf32>
      }
      scf.yield %1 : index
    }
    return
  }
}
// ===== range_of_the_induction_variable | mlir-opt 22 | sccp
module {
  func.func @range_of_the_induction_variable(%arg0: memref<16xi32>, %arg1: memref<16xi32>) {
    %c0_i32 = arith.constant 0 : i32
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg2 = %c0 to %c16 step %c1 {
      %0 = arith.cmpi slt, %arg2, %c16 : index
      %1 = arith.remui %arg2, %c16 : index
      %2 = memref.load %arg0[%1] : memref<16xi32>
      %3 = arith.select %0, %2, %c0_i32 : i32
      memref.store %3, %arg1[%arg2] : memref<16xi32>
    }
    return
  }
}
// ===== range_of_the_induction_variable | mlir-opt 22 | int-range-optimizations
module {
  func.func @range_of_the_induction_variable(%arg0: memref<16xi32>, %arg1: memref<16xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    scf.for %arg2 = %c0 to %c16 step %c1 {
      %0 = memref.load %arg0[%arg2] : memref<16xi32>
      memref.store %0, %arg1[%arg2] : memref<16xi32>
    }
    return
  }
}
// ===== range_of_the_induction_variable | mlir-opt 22 | scf-for-to-while
module {
  func.func @range_of_the_induction_variable(%arg0: memref<16xi32>, %arg1: memref<16xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c0_i32 = arith.constant 0 : i32
    %0 = scf.while (%arg2 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg2, %c16 : index
      scf.condition(%1) %arg2 : index
    } do {
    ^bb0(%arg2: index):
      %1 = arith.addi %arg2, %c1 : index
      %2 = arith.cmpi slt, %arg2, %c16 : index
      %3 = arith.remui %arg2, %c16 : index
      %4 = memref.load %arg0[%3] : memref<16xi32>
      %5 = arith.select %2, %4, %c0_i32 : i32
      memref.store %5, %arg1[%arg2] : memref<16xi32>
      scf.yield %1 : index
    }
    return
  }
}
// ===== integer_arithmetic_folds | mlir-opt 22 | canonicalize
module {
  func.func @integer_arithmetic_folds(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c4_i32 = arith.constant 4 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.addi %0, %c4_i32 : i32
      memref.store %1, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== integer_arithmetic_folds | mlir-opt 22 | sccp
module {
  func.func @integer_arithmetic_folds(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c2_i32 = arith.constant 2 : i32
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.muli %0, %c1_i32 : i32
      %2 = arith.addi %1, %c2_i32 : i32
      %3 = arith.addi %2, %c2_i32 : i32
      %4 = arith.subi %3, %c0_i32 : i32
      %5 = arith.andi %4, %4 : i32
      %6 = arith.xori %5, %c0_i32 : i32
      memref.store %6, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== integer_arithmetic_folds | mlir-opt 22 | sccp,canonicalize
module {
  func.func @integer_arithmetic_folds(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c4_i32 = arith.constant 4 : i32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.addi %0, %c4_i32 : i32
      memref.store %1, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== integer_arithmetic_folds | mlir-opt 22 | int-range-optimizations
module {
  func.func @integer_arithmetic_folds(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2_i32 = arith.constant 2 : i32
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xi32>
      %1 = arith.addi %0, %c2_i32 : i32
      %2 = arith.addi %1, %c2_i32 : i32
      memref.store %2, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== integer_arithmetic_folds | mlir-opt 22 | scf-for-to-while
module {
  func.func @integer_arithmetic_folds(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2_i32 = arith.constant 2 : i32
    %0 = scf.while (%arg3 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg3, %arg0 : index
      scf.condition(%1) %arg3 : index
    } do {
    ^bb0(%arg3: index):
      %1 = arith.addi %arg3, %c1 : index
      %2 = memref.load %arg1[%arg3] : memref<?xi32>
      %3 = arith.addi %2, %c2_i32 : i32
      %4 = arith.addi %3, %c2_i32 : i32
      memref.store %4, %arg2[%arg3] : memref<?xi32>
      scf.yield %1 : index
    }
    return
  }
}
// ===== select_of_loads | mlir-opt 22 | canonicalize
module {
  func.func @select_of_loads(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>, %arg4: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg5 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg2[%arg5] : memref<?xf32>
      %1 = memref.load %arg3[%arg5] : memref<?xf32>
      %2 = arith.cmpi ult, %arg5, %arg1 : index
      %3 = arith.select %2, %0, %1 : f32
      %4 = arith.addf %3, %1 : f32
      memref.store %4, %arg4[%arg5] : memref<?xf32>
    }
    return
  }
}
// ===== select_of_loads | mlir-opt 22 | sccp
module {
  func.func @select_of_loads(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>, %arg4: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg5 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg2[%arg5] : memref<?xf32>
      %1 = memref.load %arg3[%arg5] : memref<?xf32>
      %2 = arith.cmpi ult, %arg5, %arg1 : index
      %3 = arith.cmpi uge, %arg5, %arg1 : index
      %4:2 = scf.if %2 -> (f32, f32) {
        scf.yield %0, %1 : f32, f32
      } else {
        scf.yield %1, %1 : f32, f32
      }
      %5 = arith.addf %4#0, %4#1 : f32
      memref.store %5, %arg4[%arg5] : memref<?xf32>
    }
    return
  }
}
// ===== select_of_loads | mlir-opt 22 | cse
module {
  func.func @select_of_loads(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>, %arg4: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg5 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg2[%arg5] : memref<?xf32>
      %1 = memref.load %arg3[%arg5] : memref<?xf32>
      %2 = arith.cmpi ult, %arg5, %arg1 : index
      %3:2 = scf.if %2 -> (f32, f32) {
        scf.yield %0, %1 : f32, f32
      } else {
        scf.yield %1, %1 : f32, f32
      }
      %4 = arith.addf %3#0, %3#1 : f32
      memref.store %4, %arg4[%arg5] : memref<?xf32>
    }
    return
  }
}
// ===== select_of_loads | mlir-opt 22 | sccp,canonicalize
module {
  func.func @select_of_loads(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>, %arg4: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg5 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg2[%arg5] : memref<?xf32>
      %1 = memref.load %arg3[%arg5] : memref<?xf32>
      %2 = arith.cmpi ult, %arg5, %arg1 : index
      %3 = arith.select %2, %0, %1 : f32
      %4 = arith.addf %3, %1 : f32
      memref.store %4, %arg4[%arg5] : memref<?xf32>
    }
    return
  }
}
// ===== select_of_loads | mlir-opt 22 | scf-for-to-while
module {
  func.func @select_of_loads(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?xf32>, %arg4: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.while (%arg5 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg5, %arg0 : index
      scf.condition(%1) %arg5 : index
    } do {
    ^bb0(%arg5: index):
      %1 = arith.addi %arg5, %c1 : index
      %2 = memref.load %arg2[%arg5] : memref<?xf32>
      %3 = memref.load %arg3[%arg5] : memref<?xf32>
      %4 = arith.cmpi ult, %arg5, %arg1 : index
      %5:2 = scf.if %4 -> (f32, f32) {
        scf.yield %2, %3 : f32, f32
      } else {
        scf.yield %3, %3 : f32, f32
      }
      %6 = arith.addf %5#0, %5#1 : f32
      memref.store %6, %arg4[%arg5] : memref<?xf32>
      scf.yield %1 : index
    }
    return
  }
}
// ===== region_that_runs_once | mlir-opt 22 | canonicalize
module {
  func.func @region_that_runs_once(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== region_that_runs_once | mlir-opt 22 | sccp
module {
  func.func @region_that_runs_once(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = scf.execute_region -> f32 {
        %1 = memref.load %arg1[%arg3] : memref<?xf32>
        %2 = arith.mulf %1, %1 : f32
        scf.yield %2 : f32
      }
      memref.store %0, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== region_that_runs_once | mlir-opt 22 | sccp,canonicalize
module {
  func.func @region_that_runs_once(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== region_that_runs_once | mlir-opt 22 | scf-for-to-while
module {
  func.func @region_that_runs_once(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.while (%arg3 = %c0) : (index) -> index {
      %1 = arith.cmpi slt, %arg3, %arg0 : index
      scf.condition(%1) %arg3 : index
    } do {
    ^bb0(%arg3: index):
      %1 = arith.addi %arg3, %c1 : index
      %2 = scf.execute_region -> f32 {
        %3 = memref.load %arg1[%arg3] : memref<?xf32>
        %4 = arith.mulf %3, %3 : f32
        scf.yield %4 : f32
      }
      memref.store %2, %arg2[%arg3] : memref<?xf32>
      scf.yield %1 : index
    }
    return
  }
}
