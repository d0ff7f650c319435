// ===== pointwise | mlir-opt 22 | affine-parallelize
module {
  func.func @pointwise(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 2.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.parallel (%arg2) = (0) to (symbol(%dim)) {
      affine.parallel (%arg3) = (0) to (symbol(%dim_0)) {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %cst : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== pointwise | mlir-opt 22 | affine-parallelize{max-nested=1}
module {
  func.func @pointwise(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 2.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.parallel (%arg2) = (0) to (symbol(%dim)) {
      affine.for %arg3 = 0 to %dim_0 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %cst : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== pointwise | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @pointwise(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 2.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %c0_1 = arith.constant 0 : index
    %c1_2 = arith.constant 1 : index
    scf.parallel (%arg2) = (%c0_1) to (%dim) step (%c1_2) {
      %c0_3 = arith.constant 0 : index
      %c1_4 = arith.constant 1 : index
      scf.parallel (%arg3) = (%c0_3) to (%dim_0) step (%c1_4) {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %cst : f32
        memref.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== pointwise | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
module {
  func.func @pointwise(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 2.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.parallel (%arg2) = (0) to (symbol(%dim)) step (4) {
      affine.parallel (%arg3) = (0) to (symbol(%dim_0)) step (4) {
        affine.parallel (%arg4) = (%arg2) to (min(%arg2 + 4, symbol(%dim))) {
          affine.parallel (%arg5) = (%arg3) to (min(%arg3 + 4, symbol(%dim_0))) {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x?xf32>
            %1 = arith.mulf %0, %cst : f32
            affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== product | mlir-opt 22 | affine-parallelize
module {
  func.func @product(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?x?xf32>, %arg4: memref<?x?xf32>, %arg5: memref<?x?xf32>) {
    affine.parallel (%arg6) = (0) to (symbol(%arg0)) {
      affine.parallel (%arg7) = (0) to (symbol(%arg1)) {
        affine.for %arg8 = 0 to %arg2 {
          %0 = affine.load %arg3[%arg6, %arg8] : memref<?x?xf32>
          %1 = affine.load %arg4[%arg8, %arg7] : memref<?x?xf32>
          %2 = affine.load %arg5[%arg6, %arg7] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg5[%arg6, %arg7] : memref<?x?xf32>
        }
      }
    }
    return
  }
}
// ===== product | mlir-opt 22 | affine-parallelize{max-nested=1}
module {
  func.func @product(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?x?xf32>, %arg4: memref<?x?xf32>, %arg5: memref<?x?xf32>) {
    affine.parallel (%arg6) = (0) to (symbol(%arg0)) {
      affine.for %arg7 = 0 to %arg1 {
        affine.for %arg8 = 0 to %arg2 {
          %0 = affine.load %arg3[%arg6, %arg8] : memref<?x?xf32>
          %1 = affine.load %arg4[%arg8, %arg7] : memref<?x?xf32>
          %2 = affine.load %arg5[%arg6, %arg7] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg5[%arg6, %arg7] : memref<?x?xf32>
        }
      }
    }
    return
  }
}
// ===== product | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @product(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?x?xf32>, %arg4: memref<?x?xf32>, %arg5: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg6) = (%c0) to (%arg0) step (%c1) {
      %c0_0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      scf.parallel (%arg7) = (%c0_0) to (%arg1) step (%c1_1) {
        %c0_2 = arith.constant 0 : index
        %c1_3 = arith.constant 1 : index
        scf.for %arg8 = %c0_2 to %arg2 step %c1_3 {
          %0 = memref.load %arg3[%arg6, %arg8] : memref<?x?xf32>
          %1 = memref.load %arg4[%arg8, %arg7] : memref<?x?xf32>
          %2 = memref.load %arg5[%arg6, %arg7] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          memref.store %4, %arg5[%arg6, %arg7] : memref<?x?xf32>
        }
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== product | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @product(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?x?xf32>, %arg4: memref<?x?xf32>, %arg5: memref<?x?xf32>) {
    affine.parallel (%arg6) = (0) to (symbol(%arg0)) step (4) {
      affine.parallel (%arg7) = (0) to (symbol(%arg1)) step (4) {
        affine.for %arg8 = 0 to %arg2 step 4 {
          affine.parallel (%arg9) = (%arg6) to (min(%arg6 + 4, symbol(%arg0))) {
            affine.parallel (%arg10) = (%arg7) to (min(%arg7 + 4, symbol(%arg1))) {
              affine.for %arg11 = #map(%arg8) to min #map1(%arg8)[%arg2] {
                %0 = affine.load %arg3[%arg9, %arg11] : memref<?x?xf32>
                %1 = affine.load %arg4[%arg11, %arg10] : memref<?x?xf32>
                %2 = affine.load %arg5[%arg9, %arg10] : memref<?x?xf32>
                %3 = arith.mulf %0, %1 : f32
                %4 = arith.addf %2, %3 : f32
                affine.store %4, %arg5[%arg9, %arg10] : memref<?x?xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== sum_of_integers | mlir-opt 22 | affine-parallelize{parallel-reductions}
module {
  func.func @sum_of_integers(%arg0: memref<?xi32>, %arg1: memref<1xi32>) {
    %c0 = arith.constant 0 : index
    %c0_i32 = arith.constant 0 : i32
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    %0 = affine.parallel (%arg2) = (0) to (symbol(%dim)) reduce ("addi") -> (i32) {
      %2 = affine.load %arg0[%arg2] : memref<?xi32>
      affine.yield %2 : i32
    }
    %1 = arith.addi %c0_i32, %0 : i32
    affine.store %1, %arg1[0] : memref<1xi32>
    return
  }
}
// ===== sum_of_integers | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @sum_of_integers(%arg0: memref<?xi32>, %arg1: memref<1xi32>) {
    %c0 = arith.constant 0 : index
    %c0_i32 = arith.constant 0 : i32
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg2 = %c0_0 to %dim step %c1 iter_args(%arg3 = %c0_i32) -> (i32) {
      %1 = memref.load %arg0[%arg2] : memref<?xi32>
      %2 = arith.addi %arg3, %1 : i32
      scf.yield %2 : i32
    }
    %c0_1 = arith.constant 0 : index
    memref.store %0, %arg1[%c0_1] : memref<1xi32>
    return
  }
}
// ===== largest_of_each_row | mlir-opt 22 | affine-parallelize
module {
  func.func @largest_of_each_row(%arg0: index, %arg1: index, %arg2: memref<?x?xi32>, %arg3: memref<?xi32>) {
    %c-2147483648_i32 = arith.constant -2147483648 : i32
    affine.parallel (%arg4) = (0) to (symbol(%arg0)) {
      %0 = affine.for %arg5 = 0 to %arg1 iter_args(%arg6 = %c-2147483648_i32) -> (i32) {
        %1 = affine.load %arg2[%arg4, %arg5] : memref<?x?xi32>
        %2 = arith.maxsi %arg6, %1 : i32
        affine.yield %2 : i32
      }
      affine.store %0, %arg3[%arg4] : memref<?xi32>
    }
    return
  }
}
// ===== largest_of_each_row | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @largest_of_each_row(%arg0: index, %arg1: index, %arg2: memref<?x?xi32>, %arg3: memref<?xi32>) {
    %c-2147483648_i32 = arith.constant -2147483648 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%c1) {
      %c0_0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %0 = scf.for %arg5 = %c0_0 to %arg1 step %c1_1 iter_args(%arg6 = %c-2147483648_i32) -> (i32) {
        %1 = memref.load %arg2[%arg4, %arg5] : memref<?x?xi32>
        %2 = arith.maxsi %arg6, %1 : i32
        scf.yield %2 : i32
      }
      memref.store %0, %arg3[%arg4] : memref<?xi32>
      scf.reduce 
    }
    return
  }
}
// ===== largest_of_each_row | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
module {
  func.func @largest_of_each_row(%arg0: index, %arg1: index, %arg2: memref<?x?xi32>, %arg3: memref<?xi32>) {
    %c-2147483648_i32 = arith.constant -2147483648 : i32
    affine.parallel (%arg4) = (0) to (symbol(%arg0)) step (4) {
      affine.parallel (%arg5) = (%arg4) to (min(%arg4 + 4, symbol(%arg0))) {
        %0 = affine.for %arg6 = 0 to %arg1 iter_args(%arg7 = %c-2147483648_i32) -> (i32) {
          %1 = affine.load %arg2[%arg5, %arg6] : memref<?x?xi32>
          %2 = arith.maxsi %arg7, %1 : i32
          affine.yield %2 : i32
        }
        affine.store %0, %arg3[%arg5] : memref<?xi32>
      }
    }
    return
  }
}
// ===== largest_of_each_row | iree-opt 24 | affine-parallelize{parallel-reductions}
module {
  func.func @largest_of_each_row(%arg0: index, %arg1: index, %arg2: memref<?x?xi32>, %arg3: memref<?xi32>) {
    %c-2147483648_i32 = arith.constant -2147483648 : i32
    affine.parallel (%arg4) = (0) to (symbol(%arg0)) {
      %0 = affine.parallel (%arg5) = (0) to (symbol(%arg1)) reduce ("maxs") -> (i32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xi32>
        affine.yield %2 : i32
      }
      %1 = arith.maxsi %c-2147483648_i32, %0 : i32
      affine.store %1, %arg3[%arg4] : memref<?xi32>
    }
    return
  }
}
// ===== two_nests_share_an_array | mlir-opt 22 | affine-parallelize
module {
  func.func @two_nests_share_an_array(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    affine.parallel (%arg4) = (0) to (symbol(%arg0)) {
      %0 = affine.load %arg1[%arg4] : memref<?xf32>
      affine.store %0, %arg2[%arg4 + 1] : memref<?xf32>
    }
    affine.parallel (%arg4) = (0) to (symbol(%arg0)) {
      %0 = affine.load %arg2[%arg4] : memref<?xf32>
      affine.store %0, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== two_nests_share_an_array | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @two_nests_share_an_array(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%c1) {
      %0 = memref.load %arg1[%arg4] : memref<?xf32>
      %c1_2 = arith.constant 1 : index
      %1 = arith.addi %arg4, %c1_2 : index
      memref.store %0, %arg2[%1] : memref<?xf32>
      scf.reduce 
    }
    %c0_0 = arith.constant 0 : index
    %c1_1 = arith.constant 1 : index
    scf.parallel (%arg4) = (%c0_0) to (%arg0) step (%c1_1) {
      %0 = memref.load %arg2[%arg4] : memref<?xf32>
      memref.store %0, %arg3[%arg4] : memref<?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== two_nests_share_an_array | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
module {
  func.func @two_nests_share_an_array(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: memref<?xf32>) {
    affine.parallel (%arg4) = (0) to (symbol(%arg0)) step (4) {
      affine.parallel (%arg5) = (%arg4) to (min(%arg4 + 4, symbol(%arg0))) {
        %0 = affine.load %arg1[%arg5] : memref<?xf32>
        affine.store %0, %arg2[%arg5 + 1] : memref<?xf32>
      }
    }
    affine.parallel (%arg4) = (0) to (symbol(%arg0)) step (4) {
      affine.parallel (%arg5) = (%arg4) to (min(%arg4 + 4, symbol(%arg0))) {
        %0 = affine.load %arg2[%arg5] : memref<?xf32>
        affine.store %0, %arg3[%arg5] : memref<?xf32>
      }
    }
    return
  }
}
// ===== dependence_in_the_outer_loop | mlir-opt 22 | affine-parallelize
module {
  func.func @dependence_in_the_outer_loop(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 1 to %arg0 {
      affine.parallel (%arg4) = (0) to (symbol(%arg1)) {
        %0 = affine.load %arg2[%arg3 - 1, %arg4] : memref<?x?xf32>
        %1 = affine.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== dependence_in_the_outer_loop | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @dependence_in_the_outer_loop(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    scf.for %arg3 = %c1 to %arg0 step %c1_0 {
      %c0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      scf.parallel (%arg4) = (%c0) to (%arg1) step (%c1_1) {
        %c-1 = arith.constant -1 : index
        %0 = arith.addi %arg3, %c-1 : index
        %1 = memref.load %arg2[%0, %arg4] : memref<?x?xf32>
        %2 = memref.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %3 = arith.addf %1, %2 : f32
        memref.store %3, %arg2[%arg3, %arg4] : memref<?x?xf32>
        scf.reduce 
      }
    }
    return
  }
}
// ===== dependence_in_the_outer_loop | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @dependence_in_the_outer_loop(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 1 to %arg0 step 4 {
      affine.parallel (%arg4) = (0) to (symbol(%arg1)) step (4) {
        affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%arg0] {
          affine.parallel (%arg6) = (%arg4) to (min(%arg4 + 4, symbol(%arg1))) {
            %0 = affine.load %arg2[%arg5 - 1, %arg6] : memref<?x?xf32>
            %1 = affine.load %arg2[%arg5, %arg6] : memref<?x?xf32>
            %2 = arith.addf %0, %1 : f32
            affine.store %2, %arg2[%arg5, %arg6] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== dependence_of_distance_four | mlir-opt 22 | affine-parallelize
module {
  func.func @dependence_of_distance_four(%arg0: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4xf32>
    affine.for %arg1 = 1 to %dim {
      affine.parallel (%arg2) = (0) to (4) {
        %0 = affine.load %arg0[%arg1 - 1, -%arg2 + 3] : memref<?x4xf32>
        affine.store %0, %arg0[%arg1, %arg2] : memref<?x4xf32>
      }
    }
    return
  }
}
// ===== dependence_of_distance_four | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @dependence_of_distance_four(%arg0: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4xf32>
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    scf.for %arg1 = %c1 to %dim step %c1_0 {
      %c0_1 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1_2 = arith.constant 1 : index
      scf.parallel (%arg2) = (%c0_1) to (%c4) step (%c1_2) {
        %c-1 = arith.constant -1 : index
        %0 = arith.addi %arg1, %c-1 : index
        %c-1_3 = arith.constant -1 : index
        %1 = arith.muli %arg2, %c-1_3 overflow<nsw> : index
        %c3 = arith.constant 3 : index
        %2 = arith.addi %1, %c3 : index
        %3 = memref.load %arg0[%0, %2] : memref<?x4xf32>
        memref.store %3, %arg0[%arg1, %arg2] : memref<?x4xf32>
        scf.reduce 
      }
    }
    return
  }
}
// ===== dependence_of_distance_four | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @dependence_of_distance_four(%arg0: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4xf32>
    affine.for %arg1 = 1 to %dim step 4 {
      affine.parallel (%arg2) = (0) to (4) step (4) {
        affine.for %arg3 = #map(%arg1) to min #map1(%arg1)[%dim] {
          affine.parallel (%arg4) = (%arg2) to (%arg2 + 4) {
            %0 = affine.load %arg0[%arg3 - 1, -%arg4 + 3] : memref<?x4xf32>
            affine.store %0, %arg0[%arg3, %arg4] : memref<?x4xf32>
          }
        }
      }
    }
    return
  }
}
// ===== private_buffer | mlir-opt 22 | affine-parallelize
module {
  func.func @private_buffer(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %alloc = memref.alloc() : memref<8xf32>
      affine.parallel (%arg4) = (0) to (8) {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x8xf32>
        affine.store %0, %alloc[-%arg4 + 7] : memref<8xf32>
      }
      affine.parallel (%arg4) = (0) to (8) {
        %0 = affine.load %alloc[%arg4] : memref<8xf32>
        affine.store %0, %arg2[%arg3, %arg4] : memref<?x8xf32>
      }
      memref.dealloc %alloc : memref<8xf32>
    }
    return
  }
}
// ===== private_buffer | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @private_buffer(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %alloc = memref.alloc() : memref<8xf32>
      %c0_0 = arith.constant 0 : index
      %c8 = arith.constant 8 : index
      %c1_1 = arith.constant 1 : index
      scf.parallel (%arg4) = (%c0_0) to (%c8) step (%c1_1) {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x8xf32>
        %c-1 = arith.constant -1 : index
        %1 = arith.muli %arg4, %c-1 overflow<nsw> : index
        %c7 = arith.constant 7 : index
        %2 = arith.addi %1, %c7 : index
        memref.store %0, %alloc[%2] : memref<8xf32>
        scf.reduce 
      }
      %c0_2 = arith.constant 0 : index
      %c8_3 = arith.constant 8 : index
      %c1_4 = arith.constant 1 : index
      scf.parallel (%arg4) = (%c0_2) to (%c8_3) step (%c1_4) {
        %0 = memref.load %alloc[%arg4] : memref<8xf32>
        memref.store %0, %arg2[%arg3, %arg4] : memref<?x8xf32>
        scf.reduce 
      }
      memref.dealloc %alloc : memref<8xf32>
    }
    return
  }
}
// ===== private_buffer | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @private_buffer(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>) {
    affine.for %arg3 = 0 to %arg0 step 4 {
      affine.for %arg4 = #map(%arg3) to min #map1(%arg3)[%arg0] {
        %alloc = memref.alloc() : memref<8xf32>
        affine.parallel (%arg5) = (0) to (8) {
          %0 = affine.load %arg1[%arg4, %arg5] : memref<?x8xf32>
          affine.store %0, %alloc[-%arg5 + 7] : memref<8xf32>
        }
        affine.parallel (%arg5) = (0) to (8) {
          %0 = affine.load %alloc[%arg5] : memref<8xf32>
          affine.store %0, %arg2[%arg4, %arg5] : memref<?x8xf32>
        }
        memref.dealloc %alloc : memref<8xf32>
      }
    }
    return
  }
}
// ===== invariant_load | mlir-opt 22 | affine-parallelize
module {
  func.func @invariant_load(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?x?xf32>) {
    affine.parallel (%arg4) = (0) to (symbol(%arg0)) {
      affine.parallel (%arg5) = (0) to (symbol(%arg1)) {
        %0 = affine.load %arg2[%arg4] : memref<?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== invariant_load | mlir-opt 22 | affine-parallelize{max-nested=1}
module {
  func.func @invariant_load(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?x?xf32>) {
    affine.parallel (%arg4) = (0) to (symbol(%arg0)) {
      affine.for %arg5 = 0 to %arg1 {
        %0 = affine.load %arg2[%arg4] : memref<?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== invariant_load | mlir-opt 22 | affine-loop-invariant-code-motion
module {
  func.func @invariant_load(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?x?xf32>) {
    affine.for %arg4 = 0 to %arg0 {
      %0 = affine.load %arg2[%arg4] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      affine.for %arg5 = 0 to %arg1 {
        affine.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== invariant_load | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @invariant_load(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg4) = (%c0) to (%arg0) step (%c1) {
      %c0_0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      scf.parallel (%arg5) = (%c0_0) to (%arg1) step (%c1_1) {
        %0 = memref.load %arg2[%arg4] : memref<?xf32>
        %1 = arith.mulf %0, %0 : f32
        memref.store %1, %arg3[%arg4, %arg5] : memref<?x?xf32>
        scf.reduce 
      }
      scf.reduce 
    }
    return
  }
}
// ===== invariant_load | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
module {
  func.func @invariant_load(%arg0: index, %arg1: index, %arg2: memref<?xf32>, %arg3: memref<?x?xf32>) {
    affine.parallel (%arg4) = (0) to (symbol(%arg0)) step (4) {
      affine.parallel (%arg5) = (0) to (symbol(%arg1)) step (4) {
        affine.parallel (%arg6) = (%arg4) to (min(%arg4 + 4, symbol(%arg0))) {
          affine.parallel (%arg7) = (%arg5) to (min(%arg5 + 4, symbol(%arg1))) {
            %0 = affine.load %arg2[%arg6] : memref<?xf32>
            %1 = arith.mulf %0, %0 : f32
            affine.store %1, %arg3[%arg6, %arg7] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== invariant_store | mlir-opt 22 | affine-loop-invariant-code-motion
module {
  func.func @invariant_store(%arg0: memref<10xf32>, %arg1: memref<1xf32>) {
    %cst = arith.constant 7.000000e+00 : f32
    %0 = arith.addf %cst, %cst : f32
    affine.for %arg2 = 0 to 10 {
    }
    affine.for %arg2 = 0 to 10 {
      affine.store %0, %arg0[%arg2] : memref<10xf32>
      %1 = affine.load %arg0[0] : memref<10xf32>
      affine.store %1, %arg1[0] : memref<1xf32>
    }
    return
  }
}
// ===== invariant_store | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @invariant_store(%arg0: memref<10xf32>, %arg1: memref<1xf32>) {
    %cst = arith.constant 7.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c10 = arith.constant 10 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c10 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c10_1 = arith.constant 10 : index
      %c1_2 = arith.constant 1 : index
      scf.for %arg3 = %c0_0 to %c10_1 step %c1_2 {
        %1 = arith.addf %cst, %cst : f32
        memref.store %1, %arg0[%arg2] : memref<10xf32>
      }
      %c0_3 = arith.constant 0 : index
      %0 = memref.load %arg0[%c0_3] : memref<10xf32>
      %c0_4 = arith.constant 0 : index
      memref.store %0, %arg1[%c0_4] : memref<1xf32>
    }
    return
  }
}
// ===== invariant_store | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4, 10)>
module {
  func.func @invariant_store(%arg0: memref<10xf32>, %arg1: memref<1xf32>) {
    %cst = arith.constant 7.000000e+00 : f32
    affine.for %arg2 = 0 to 10 step 4 {
      affine.for %arg3 = #map(%arg2) to min #map1(%arg2) {
        affine.for %arg4 = 0 to 10 {
          %1 = arith.addf %cst, %cst : f32
          affine.store %1, %arg0[%arg3] : memref<10xf32>
        }
        %0 = affine.load %arg0[0] : memref<10xf32>
        affine.store %0, %arg1[0] : memref<1xf32>
      }
    }
    return
  }
}
// ===== store_that_varies_stays | mlir-opt 22 | affine-loop-invariant-code-motion
module {
  func.func @store_that_varies_stays(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<1xf32>) {
    %cst = arith.constant 3.000000e+00 : f32
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg2[0] : memref<1xf32>
      %1 = affine.load %arg1[%arg3] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %arg2[0] : memref<1xf32>
      affine.store %cst, %arg1[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== store_that_varies_stays | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @store_that_varies_stays(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c0_0 = arith.constant 0 : index
      %0 = memref.load %arg2[%c0_0] : memref<1xf32>
      %1 = memref.load %arg1[%arg3] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      %c0_1 = arith.constant 0 : index
      memref.store %2, %arg2[%c0_1] : memref<1xf32>
      %cst = arith.constant 3.000000e+00 : f32
      memref.store %cst, %arg1[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== store_that_varies_stays | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @store_that_varies_stays(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<1xf32>) {
    affine.for %arg3 = 0 to %arg0 step 4 {
      affine.for %arg4 = #map(%arg3) to min #map1(%arg3)[%arg0] {
        %0 = affine.load %arg2[0] : memref<1xf32>
        %1 = affine.load %arg1[%arg4] : memref<?xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %arg2[0] : memref<1xf32>
        %cst = arith.constant 3.000000e+00 : f32
        affine.store %cst, %arg1[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== invariant_condition | mlir-opt 22 | affine-parallelize
#set = affine_set<(d0) : (d0 - 2 >= 0)>
module {
  func.func @invariant_condition(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    affine.parallel (%arg3) = (0) to (symbol(%arg0)) {
      affine.for %arg4 = 0 to %arg1 {
        affine.if #set(%arg3) {
          %0 = arith.addf %cst, %cst : f32
          affine.store %0, %arg2[%arg3, 0] : memref<?x?xf32>
        }
      }
    }
    return
  }
}
// ===== invariant_condition | mlir-opt 22 | affine-loop-invariant-code-motion
#set = affine_set<(d0) : (d0 - 2 >= 0)>
module {
  func.func @invariant_condition(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    affine.for %arg3 = 0 to %arg1 {
    }
    affine.for %arg3 = 0 to %arg0 {
      affine.if #set(%arg3) {
        %0 = arith.addf %cst, %cst : f32
        affine.store %0, %arg2[%arg3, 0] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== invariant_condition | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @invariant_condition(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.parallel (%arg3) = (%c0) to (%arg0) step (%c1) {
      %c0_0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg4 = %c0_0 to %arg1 step %c1_1 {
        %c0_2 = arith.constant 0 : index
        %c-2 = arith.constant -2 : index
        %0 = arith.addi %arg3, %c-2 : index
        %1 = arith.cmpi sge, %0, %c0_2 : index
        scf.if %1 {
          %2 = arith.addf %cst, %cst : f32
          %c0_3 = arith.constant 0 : index
          memref.store %2, %arg2[%arg3, %c0_3] : memref<?x?xf32>
        }
      }
      scf.reduce 
    }
    return
  }
}
// ===== invariant_condition | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-parallelize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#set = affine_set<(d0) : (d0 - 2 >= 0)>
module {
  func.func @invariant_condition(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    affine.parallel (%arg3) = (0) to (symbol(%arg0)) step (4) {
      affine.for %arg4 = 0 to %arg1 step 4 {
        affine.parallel (%arg5) = (%arg3) to (min(%arg3 + 4, symbol(%arg0))) {
          affine.for %arg6 = #map(%arg4) to min #map1(%arg4)[%arg1] {
            affine.if #set(%arg5) {
              %0 = arith.addf %cst, %cst : f32
              affine.store %0, %arg2[%arg5, 0] : memref<?x?xf32>
            }
          }
        }
      }
    }
    return
  }
}
// ===== parallel_of_two_dimensions | mlir-opt 22 | affine-parallelize,lower-affine
module {
  func.func @parallel_of_two_dimensions(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c1_1 = arith.constant 1 : index
    scf.parallel (%arg4, %arg5) = (%c0, %c0_0) to (%arg0, %arg1) step (%c1, %c1_1) {
      %0 = memref.load %arg2[%arg5, %arg4] : memref<?x?xf32>
      memref.store %0, %arg3[%arg4, %arg5] : memref<?x?xf32>
      scf.reduce 
    }
    return
  }
}
