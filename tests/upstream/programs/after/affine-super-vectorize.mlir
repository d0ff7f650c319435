// ===== row_of_open_length | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8}
module {
  func.func @row_of_open_length(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim step 8 {
      %0 = ub.poison : f32
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<?xf32>, vector<8xf32>
      %2 = arith.addf %1, %1 : vector<8xf32>
      vector.transfer_write %2, %arg1[%arg2] : vector<8xf32>, memref<?xf32>
    }
    return
  }
}
// ===== row_of_open_length | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
module {
  func.func @row_of_open_length(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      %0 = ub.poison : f32
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<?xf32>, vector<4xf32>
      %2 = arith.addf %1, %1 : vector<4xf32>
      vector.transfer_write %2, %arg1[%arg2] : vector<4xf32>, memref<?xf32>
    }
    return
  }
}
// ===== row_of_open_length | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
module {
  func.func @row_of_open_length(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %0 = ub.poison : f32
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim step 8 {
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<?xf32>, vector<8xf32>
      %2 = arith.addf %1, %1 : vector<8xf32>
      vector.transfer_write %2, %arg1[%arg2] : vector<8xf32>, memref<?xf32>
    }
    return
  }
}
// ===== row_of_open_length | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @row_of_open_length(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %0 = ub.poison : f32
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    scf.for %arg2 = %c0 to %dim step %c4 {
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<?xf32>, vector<4xf32>
      %2 = arith.addf %1, %1 : vector<4xf32>
      vector.transfer_write %2, %arg1[%arg2] : vector<4xf32>, memref<?xf32>
    }
    return
  }
}
// ===== row_of_open_length | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize
module {
  func.func @row_of_open_length(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %0 = ub.poison : f32
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<?xf32>, vector<4xf32>
      %2 = arith.addf %1, %1 : vector<4xf32>
      vector.transfer_write %2, %arg1[%arg2] : vector<4xf32>, memref<?xf32>
    }
    return
  }
}
// ===== matrix_of_open_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8}
module {
  func.func @matrix_of_open_size(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_0 step 8 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg0[%arg3, %arg4], %0 : memref<?x?xf32>, vector<8xf32>
        %2 = ub.poison : f32
        %3 = vector.transfer_read %arg1[%arg3, %arg4], %2 : memref<?x?xf32>, vector<8xf32>
        %4 = arith.mulf %1, %3 : vector<8xf32>
        vector.transfer_write %4, %arg2[%arg3, %arg4] : vector<8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== matrix_of_open_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
module {
  func.func @matrix_of_open_size(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_0 step 4 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg0[%arg3, %arg4], %0 : memref<?x?xf32>, vector<4xf32>
        %2 = ub.poison : f32
        %3 = vector.transfer_read %arg1[%arg3, %arg4], %2 : memref<?x?xf32>, vector<4xf32>
        %4 = arith.mulf %1, %3 : vector<4xf32>
        vector.transfer_write %4, %arg2[%arg3, %arg4] : vector<4xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== matrix_of_open_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4,8}
module {
  func.func @matrix_of_open_size(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = 0 to %dim_0 step 8 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg0[%arg3, %arg4], %0 : memref<?x?xf32>, vector<4x8xf32>
        %2 = ub.poison : f32
        %3 = vector.transfer_read %arg1[%arg3, %arg4], %2 : memref<?x?xf32>, vector<4x8xf32>
        %4 = arith.mulf %1, %3 : vector<4x8xf32>
        vector.transfer_write %4, %arg2[%arg3, %arg4] : vector<4x8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== matrix_of_open_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
module {
  func.func @matrix_of_open_size(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %0 = ub.poison : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_0 step 8 {
        %1 = vector.transfer_read %arg0[%arg3, %arg4], %0 : memref<?x?xf32>, vector<8xf32>
        %2 = vector.transfer_read %arg1[%arg3, %arg4], %0 : memref<?x?xf32>, vector<8xf32>
        %3 = arith.mulf %1, %2 : vector<8xf32>
        vector.transfer_write %3, %arg2[%arg3, %arg4] : vector<8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== matrix_of_open_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @matrix_of_open_size(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %0 = ub.poison : f32
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      scf.for %arg4 = %c0 to %dim_0 step %c4 {
        %1 = vector.transfer_read %arg0[%arg3, %arg4], %0 : memref<?x?xf32>, vector<4xf32>
        %2 = vector.transfer_read %arg1[%arg3, %arg4], %0 : memref<?x?xf32>, vector<4xf32>
        %3 = arith.mulf %1, %2 : vector<4xf32>
        vector.transfer_write %3, %arg2[%arg3, %arg4] : vector<4xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== matrix_of_open_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize
module {
  func.func @matrix_of_open_size(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %0 = ub.poison : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_0 step 4 {
        %1 = vector.transfer_read %arg0[%arg3, %arg4], %0 : memref<?x?xf32>, vector<4xf32>
        %2 = vector.transfer_read %arg1[%arg3, %arg4], %0 : memref<?x?xf32>, vector<4xf32>
        %3 = arith.mulf %1, %2 : vector<4xf32>
        vector.transfer_write %3, %arg2[%arg3, %arg4] : vector<4xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== matrix_of_fixed_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8}
module {
  func.func @matrix_of_fixed_size(%arg0: memref<8x32xf32>, %arg1: memref<8x32xf32>) {
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 32 step 8 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg0[%arg2, %arg3], %0 : memref<8x32xf32>, vector<8xf32>
        %2 = arith.negf %1 : vector<8xf32>
        vector.transfer_write %2, %arg1[%arg2, %arg3] : vector<8xf32>, memref<8x32xf32>
      }
    }
    return
  }
}
// ===== matrix_of_fixed_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
module {
  func.func @matrix_of_fixed_size(%arg0: memref<8x32xf32>, %arg1: memref<8x32xf32>) {
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 32 step 4 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg0[%arg2, %arg3], %0 : memref<8x32xf32>, vector<4xf32>
        %2 = arith.negf %1 : vector<4xf32>
        vector.transfer_write %2, %arg1[%arg2, %arg3] : vector<4xf32>, memref<8x32xf32>
      }
    }
    return
  }
}
// ===== matrix_of_fixed_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4,8}
module {
  func.func @matrix_of_fixed_size(%arg0: memref<8x32xf32>, %arg1: memref<8x32xf32>) {
    affine.for %arg2 = 0 to 8 step 4 {
      affine.for %arg3 = 0 to 32 step 8 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg0[%arg2, %arg3], %0 : memref<8x32xf32>, vector<4x8xf32>
        %2 = arith.negf %1 : vector<4x8xf32>
        vector.transfer_write %2, %arg1[%arg2, %arg3] : vector<4x8xf32>, memref<8x32xf32>
      }
    }
    return
  }
}
// ===== matrix_of_fixed_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
module {
  func.func @matrix_of_fixed_size(%arg0: memref<8x32xf32>, %arg1: memref<8x32xf32>) {
    %0 = ub.poison : f32
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 32 step 8 {
        %1 = vector.transfer_read %arg0[%arg2, %arg3], %0 : memref<8x32xf32>, vector<8xf32>
        %2 = arith.negf %1 : vector<8xf32>
        vector.transfer_write %2, %arg1[%arg2, %arg3] : vector<8xf32>, memref<8x32xf32>
      }
    }
    return
  }
}
// ===== matrix_of_fixed_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @matrix_of_fixed_size(%arg0: memref<8x32xf32>, %arg1: memref<8x32xf32>) {
    %0 = ub.poison : f32
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c8 step %c1 {
      scf.for %arg3 = %c0 to %c32 step %c4 {
        %1 = vector.transfer_read %arg0[%arg2, %arg3], %0 : memref<8x32xf32>, vector<4xf32>
        %2 = arith.negf %1 : vector<4xf32>
        vector.transfer_write %2, %arg1[%arg2, %arg3] : vector<4xf32>, memref<8x32xf32>
      }
    }
    return
  }
}
// ===== matrix_of_fixed_size | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize
module {
  func.func @matrix_of_fixed_size(%arg0: memref<8x32xf32>, %arg1: memref<8x32xf32>) {
    %0 = ub.poison : f32
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 32 step 4 {
        %1 = vector.transfer_read %arg0[%arg2, %arg3], %0 : memref<8x32xf32>, vector<4xf32>
        %2 = arith.negf %1 : vector<4xf32>
        vector.transfer_write %2, %arg1[%arg2, %arg3] : vector<4xf32>, memref<8x32xf32>
      }
    }
    return
  }
}
// ===== matrix_of_fixed_size | iree-opt 24 | affine-super-vectorize{virtual-vector-size=8}
module {
  func.func @matrix_of_fixed_size(%arg0: memref<8x32xf32>, %arg1: memref<8x32xf32>) {
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 32 step 8 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg0[%arg2, %arg3], %0 {in_bounds = [true]} : memref<8x32xf32>, vector<8xf32>
        %2 = arith.negf %1 : vector<8xf32>
        vector.transfer_write %2, %arg1[%arg2, %arg3] {in_bounds = [true]} : vector<8xf32>, memref<8x32xf32>
      }
    }
    return
  }
}
// ===== matrix_of_fixed_size | iree-opt 24 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
module {
  func.func @matrix_of_fixed_size(%arg0: memref<8x32xf32>, %arg1: memref<8x32xf32>) {
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 32 step 4 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg0[%arg2, %arg3], %0 {in_bounds = [true]} : memref<8x32xf32>, vector<4xf32>
        %2 = arith.negf %1 : vector<4xf32>
        vector.transfer_write %2, %arg1[%arg2, %arg3] {in_bounds = [true]} : vector<4xf32>, memref<8x32xf32>
      }
    }
    return
  }
}
// ===== matrix_of_fixed_size | iree-opt 24 | affine-super-vectorize{virtual-vector-size=4,8}
module {
  func.func @matrix_of_fixed_size(%arg0: memref<8x32xf32>, %arg1: memref<8x32xf32>) {
    affine.for %arg2 = 0 to 8 step 4 {
      affine.for %arg3 = 0 to 32 step 8 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg0[%arg2, %arg3], %0 {in_bounds = [true, true]} : memref<8x32xf32>, vector<4x8xf32>
        %2 = arith.negf %1 : vector<4x8xf32>
        vector.transfer_write %2, %arg1[%arg2, %arg3] {in_bounds = [true, true]} : vector<4x8xf32>, memref<8x32xf32>
      }
    }
    return
  }
}
// ===== matrix_of_fixed_size | iree-opt 24 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
module {
  func.func @matrix_of_fixed_size(%arg0: memref<8x32xf32>, %arg1: memref<8x32xf32>) {
    %0 = ub.poison : f32
    affine.for %arg2 = 0 to 8 {
      affine.for %arg3 = 0 to 32 step 8 {
        %1 = vector.transfer_read %arg0[%arg2, %arg3], %0 {in_bounds = [true]} : memref<8x32xf32>, vector<8xf32>
        %2 = arith.negf %1 : vector<8xf32>
        vector.transfer_write %2, %arg1[%arg2, %arg3] {in_bounds = [true]} : vector<8xf32>, memref<8x32xf32>
      }
    }
    return
  }
}
// ===== broadcast_of_a_scalar | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8}
#map = affine_map<() -> (0)>
#map1 = affine_map<(d0) -> (0)>
module {
  func.func @broadcast_of_a_scalar(%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: memref<1xf32>) {
    %0 = vector.broadcast %arg2 : f32 to vector<8xf32>
    affine.for %arg4 = 0 to %arg0 step 8 {
      %1 = affine.apply #map()
      %2 = ub.poison : f32
      %3 = vector.transfer_read %arg3[%1], %2 {permutation_map = #map1} : memref<1xf32>, vector<8xf32>
      %4 = arith.mulf %3, %0 : vector<8xf32>
      %5 = ub.poison : f32
      %6 = vector.transfer_read %arg1[%arg4], %5 : memref<?xf32>, vector<8xf32>
      %7 = arith.addf %6, %4 : vector<8xf32>
      vector.transfer_write %7, %arg1[%arg4] : vector<8xf32>, memref<?xf32>
    }
    return
  }
}
// ===== broadcast_of_a_scalar | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<() -> (0)>
#map1 = affine_map<(d0) -> (0)>
module {
  func.func @broadcast_of_a_scalar(%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: memref<1xf32>) {
    %0 = vector.broadcast %arg2 : f32 to vector<4xf32>
    affine.for %arg4 = 0 to %arg0 step 4 {
      %1 = affine.apply #map()
      %2 = ub.poison : f32
      %3 = vector.transfer_read %arg3[%1], %2 {permutation_map = #map1} : memref<1xf32>, vector<4xf32>
      %4 = arith.mulf %3, %0 : vector<4xf32>
      %5 = ub.poison : f32
      %6 = vector.transfer_read %arg1[%arg4], %5 : memref<?xf32>, vector<4xf32>
      %7 = arith.addf %6, %4 : vector<4xf32>
      vector.transfer_write %7, %arg1[%arg4] : vector<4xf32>, memref<?xf32>
    }
    return
  }
}
// ===== broadcast_of_a_scalar | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
#map = affine_map<(d0) -> (0)>
module {
  func.func @broadcast_of_a_scalar(%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %0 = ub.poison : f32
    %1 = vector.broadcast %arg2 : f32 to vector<8xf32>
    affine.for %arg4 = 0 to %arg0 step 8 {
      %2 = vector.transfer_read %arg3[%c0], %0 {in_bounds = [true], permutation_map = #map} : memref<1xf32>, vector<8xf32>
      %3 = arith.mulf %2, %1 : vector<8xf32>
      %4 = vector.transfer_read %arg1[%arg4], %0 : memref<?xf32>, vector<8xf32>
      %5 = arith.addf %4, %3 : vector<8xf32>
      vector.transfer_write %5, %arg1[%arg4] : vector<8xf32>, memref<?xf32>
    }
    return
  }
}
// ===== broadcast_of_a_scalar | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @broadcast_of_a_scalar(%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: memref<1xf32>) {
    %0 = ub.poison : f32
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %1 = vector.broadcast %arg2 : f32 to vector<4xf32>
    scf.for %arg4 = %c0 to %arg0 step %c4 {
      %2 = memref.load %arg3[%c0] : memref<1xf32>
      %3 = vector.broadcast %2 : f32 to vector<4xf32>
      %4 = arith.mulf %3, %1 : vector<4xf32>
      %5 = vector.transfer_read %arg1[%arg4], %0 : memref<?xf32>, vector<4xf32>
      %6 = arith.addf %5, %4 : vector<4xf32>
      vector.transfer_write %6, %arg1[%arg4] : vector<4xf32>, memref<?xf32>
    }
    return
  }
}
// ===== broadcast_of_a_scalar | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize
module {
  func.func @broadcast_of_a_scalar(%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %0 = ub.poison : f32
    %1 = vector.broadcast %arg2 : f32 to vector<4xf32>
    affine.for %arg4 = 0 to %arg0 step 4 {
      %2 = memref.load %arg3[%c0] : memref<1xf32>
      %3 = vector.broadcast %2 : f32 to vector<4xf32>
      %4 = arith.mulf %3, %1 : vector<4xf32>
      %5 = vector.transfer_read %arg1[%arg4], %0 : memref<?xf32>, vector<4xf32>
      %6 = arith.addf %5, %4 : vector<4xf32>
      vector.transfer_write %6, %arg1[%arg4] : vector<4xf32>, memref<?xf32>
    }
    return
  }
}
// ===== broadcast_of_a_scalar | iree-opt 24 | affine-super-vectorize{virtual-vector-size=8}
#map = affine_map<() -> (0)>
#map1 = affine_map<(d0) -> (0)>
module {
  func.func @broadcast_of_a_scalar(%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: memref<1xf32>) {
    %0 = vector.broadcast %arg2 : f32 to vector<8xf32>
    affine.for %arg4 = 0 to %arg0 step 8 {
      %1 = affine.apply #map()
      %2 = ub.poison : f32
      %3 = vector.transfer_read %arg3[%1], %2 {in_bounds = [true], permutation_map = #map1} : memref<1xf32>, vector<8xf32>
      %4 = arith.mulf %3, %0 : vector<8xf32>
      %5 = ub.poison : f32
      %6 = vector.transfer_read %arg1[%arg4], %5 : memref<?xf32>, vector<8xf32>
      %7 = arith.addf %6, %4 : vector<8xf32>
      vector.transfer_write %7, %arg1[%arg4] : vector<8xf32>, memref<?xf32>
    }
    return
  }
}
// ===== broadcast_of_a_scalar | iree-opt 24 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<() -> (0)>
#map1 = affine_map<(d0) -> (0)>
module {
  func.func @broadcast_of_a_scalar(%arg0: index, %arg1: memref<?xf32>, %arg2: f32, %arg3: memref<1xf32>) {
    %0 = vector.broadcast %arg2 : f32 to vector<4xf32>
    affine.for %arg4 = 0 to %arg0 step 4 {
      %1 = affine.apply #map()
      %2 = ub.poison : f32
      %3 = vector.transfer_read %arg3[%1], %2 {in_bounds = [true], permutation_map = #map1} : memref<1xf32>, vector<4xf32>
      %4 = arith.mulf %3, %0 : vector<4xf32>
      %5 = ub.poison : f32
      %6 = vector.transfer_read %arg1[%arg4], %5 : memref<?xf32>, vector<4xf32>
      %7 = arith.addf %6, %4 : vector<4xf32>
      vector.transfer_write %7, %arg1[%arg4] : vector<4xf32>, memref<?xf32>
    }
    return
  }
}
// ===== length_that_eight_does_not_divide | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8}
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @length_that_eight_does_not_divide(%arg0: memref<37xf32>, %arg1: memref<40xf32>) {
    affine.for %arg2 = 0 to 37 step 8 {
      %0 = ub.poison : f32
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<37xf32>, vector<8xf32>
      %2 = affine.apply #map(%arg2)
      vector.transfer_write %1, %arg1[%2] : vector<8xf32>, memref<40xf32>
    }
    return
  }
}
// ===== length_that_eight_does_not_divide | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @length_that_eight_does_not_divide(%arg0: memref<37xf32>, %arg1: memref<40xf32>) {
    affine.for %arg2 = 0 to 37 step 4 {
      %0 = ub.poison : f32
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<37xf32>, vector<4xf32>
      %2 = affine.apply #map(%arg2)
      vector.transfer_write %1, %arg1[%2] : vector<4xf32>, memref<40xf32>
    }
    return
  }
}
// ===== length_that_eight_does_not_divide | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @length_that_eight_does_not_divide(%arg0: memref<37xf32>, %arg1: memref<40xf32>) {
    %0 = ub.poison : f32
    affine.for %arg2 = 0 to 37 step 8 {
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<37xf32>, vector<8xf32>
      %2 = affine.apply #map(%arg2)
      vector.transfer_write %1, %arg1[%2] : vector<8xf32>, memref<40xf32>
    }
    return
  }
}
// ===== length_that_eight_does_not_divide | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @length_that_eight_does_not_divide(%arg0: memref<37xf32>, %arg1: memref<40xf32>) {
    %c3 = arith.constant 3 : index
    %0 = ub.poison : f32
    %c0 = arith.constant 0 : index
    %c37 = arith.constant 37 : index
    %c4 = arith.constant 4 : index
    scf.for %arg2 = %c0 to %c37 step %c4 {
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<37xf32>, vector<4xf32>
      %2 = arith.addi %arg2, %c3 : index
      vector.transfer_write %1, %arg1[%2] : vector<4xf32>, memref<40xf32>
    }
    return
  }
}
// ===== length_that_eight_does_not_divide | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @length_that_eight_does_not_divide(%arg0: memref<37xf32>, %arg1: memref<40xf32>) {
    %0 = ub.poison : f32
    affine.for %arg2 = 0 to 37 step 4 {
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<37xf32>, vector<4xf32>
      %2 = affine.apply #map(%arg2)
      vector.transfer_write %1, %arg1[%2] : vector<4xf32>, memref<40xf32>
    }
    return
  }
}
// ===== length_that_eight_does_not_divide | iree-opt 24 | affine-super-vectorize{virtual-vector-size=8}
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @length_that_eight_does_not_divide(%arg0: memref<37xf32>, %arg1: memref<40xf32>) {
    affine.for %arg2 = 0 to 37 step 8 {
      %0 = ub.poison : f32
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<37xf32>, vector<8xf32>
      %2 = affine.apply #map(%arg2)
      vector.transfer_write %1, %arg1[%2] {in_bounds = [true]} : vector<8xf32>, memref<40xf32>
    }
    return
  }
}
// ===== length_that_eight_does_not_divide | iree-opt 24 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @length_that_eight_does_not_divide(%arg0: memref<37xf32>, %arg1: memref<40xf32>) {
    affine.for %arg2 = 0 to 37 step 4 {
      %0 = ub.poison : f32
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<37xf32>, vector<4xf32>
      %2 = affine.apply #map(%arg2)
      vector.transfer_write %1, %arg1[%2] {in_bounds = [true]} : vector<4xf32>, memref<40xf32>
    }
    return
  }
}
// ===== length_that_eight_does_not_divide | iree-opt 24 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @length_that_eight_does_not_divide(%arg0: memref<37xf32>, %arg1: memref<40xf32>) {
    %0 = ub.poison : f32
    affine.for %arg2 = 0 to 37 step 8 {
      %1 = vector.transfer_read %arg0[%arg2], %0 : memref<37xf32>, vector<8xf32>
      %2 = affine.apply #map(%arg2)
      vector.transfer_write %1, %arg1[%2] {in_bounds = [true]} : vector<8xf32>, memref<40xf32>
    }
    return
  }
}
// ===== sum_of_a_row | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
module {
  func.func @sum_of_a_row(%arg0: memref<16x64xi32>, %arg1: memref<16xi32>) {
    %c0_i32 = arith.constant 0 : i32
    affine.for %arg2 = 0 to 16 {
      %cst = arith.constant dense<0> : vector<4xi32>
      %0 = affine.for %arg3 = 0 to 64 step 4 iter_args(%arg4 = %cst) -> (vector<4xi32>) {
        %2 = ub.poison : i32
        %3 = vector.transfer_read %arg0[%arg2, %arg3], %2 : memref<16x64xi32>, vector<4xi32>
        %4 = arith.addi %arg4, %3 : vector<4xi32>
        affine.yield %4 : vector<4xi32>
      }
      %1 = vector.reduction <add>, %0 : vector<4xi32> into i32
      affine.store %1, %arg1[%arg2] : memref<16xi32>
    }
    return
  }
}
// ===== sum_of_a_row | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @sum_of_a_row(%arg0: memref<16x64xi32>, %arg1: memref<16xi32>) {
    %c64 = arith.constant 64 : index
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c16 step %c1 {
      %0 = scf.for %arg3 = %c0 to %c64 step %c1 iter_args(%arg4 = %c0_i32) -> (i32) {
        %1 = memref.load %arg0[%arg2, %arg3] : memref<16x64xi32>
        %2 = arith.addi %arg4, %1 : i32
        scf.yield %2 : i32
      }
      memref.store %0, %arg1[%arg2] : memref<16xi32>
    }
    return
  }
}
// ===== sum_of_a_row | iree-opt 24 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
module {
  func.func @sum_of_a_row(%arg0: memref<16x64xi32>, %arg1: memref<16xi32>) {
    %c0_i32 = arith.constant 0 : i32
    affine.for %arg2 = 0 to 16 {
      %cst = arith.constant dense<0> : vector<4xi32>
      %0 = affine.for %arg3 = 0 to 64 step 4 iter_args(%arg4 = %cst) -> (vector<4xi32>) {
        %2 = ub.poison : i32
        %3 = vector.transfer_read %arg0[%arg2, %arg3], %2 {in_bounds = [true]} : memref<16x64xi32>, vector<4xi32>
        %4 = arith.addi %arg4, %3 : vector<4xi32>
        affine.yield %4 : vector<4xi32>
      }
      %1 = vector.reduction <add>, %0 : vector<4xi32> into i32
      affine.store %1, %arg1[%arg2] : memref<16xi32>
    }
    return
  }
}
// ===== sum_of_an_open_row | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<(d0)[s0] -> (-d0 + s0)>
module {
  func.func @sum_of_an_open_row(%arg0: memref<?x?xi32>, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xi32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xi32>
    %c0_i32 = arith.constant 0 : i32
    affine.for %arg2 = 0 to %dim {
      %cst = arith.constant dense<0> : vector<4xi32>
      %0 = affine.for %arg3 = 0 to %dim_0 step 4 iter_args(%arg4 = %cst) -> (vector<4xi32>) {
        %2 = affine.apply #map(%arg3)[%dim_0]
        %3 = vector.create_mask %2 : vector<4xi1>
        %4 = ub.poison : i32
        %5 = vector.transfer_read %arg0[%arg2, %arg3], %4 : memref<?x?xi32>, vector<4xi32>
        %6 = arith.select %3, %5, %cst : vector<4xi1>, vector<4xi32>
        %7 = arith.addi %arg4, %6 : vector<4xi32>
        affine.yield %7 : vector<4xi32>
      }
      %1 = vector.reduction <add>, %0 : vector<4xi32> into i32
      affine.store %1, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== sum_of_an_open_row | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
module {
  func.func @sum_of_an_open_row(%arg0: memref<?x?xi32>, %arg1: memref<?xi32>) {
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xi32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xi32>
    affine.for %arg2 = 0 to %dim {
      %0 = affine.for %arg3 = 0 to %dim_0 iter_args(%arg4 = %c0_i32) -> (i32) {
        %1 = affine.load %arg0[%arg2, %arg3] : memref<?x?xi32>
        %2 = arith.addi %arg4, %1 : i32
        affine.yield %2 : i32
      }
      affine.store %0, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== sum_of_an_open_row | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @sum_of_an_open_row(%arg0: memref<?x?xi32>, %arg1: memref<?xi32>) {
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xi32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xi32>
    scf.for %arg2 = %c0 to %dim step %c1 {
      %0 = scf.for %arg3 = %c0 to %dim_0 step %c1 iter_args(%arg4 = %c0_i32) -> (i32) {
        %1 = memref.load %arg0[%arg2, %arg3] : memref<?x?xi32>
        %2 = arith.addi %arg4, %1 : i32
        scf.yield %2 : i32
      }
      memref.store %0, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== smallest_of_a_row | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
module {
  func.func @smallest_of_a_row(%arg0: memref<64xi32>, %arg1: memref<1xi32>) {
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %cst = arith.constant dense<2147483647> : vector<4xi32>
    %0 = affine.for %arg2 = 0 to 64 step 4 iter_args(%arg3 = %cst) -> (vector<4xi32>) {
      %2 = ub.poison : i32
      %3 = vector.transfer_read %arg0[%arg2], %2 : memref<64xi32>, vector<4xi32>
      %4 = arith.minsi %arg3, %3 : vector<4xi32>
      affine.yield %4 : vector<4xi32>
    }
    %1 = vector.reduction <minsi>, %0 : vector<4xi32> into i32
    affine.store %1, %arg1[0] : memref<1xi32>
    return
  }
}
// ===== smallest_of_a_row | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @smallest_of_a_row(%arg0: memref<64xi32>, %arg1: memref<1xi32>) {
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg2 = %c0 to %c64 step %c1 iter_args(%arg3 = %c2147483647_i32) -> (i32) {
      %1 = memref.load %arg0[%arg2] : memref<64xi32>
      %2 = arith.minsi %arg3, %1 : i32
      scf.yield %2 : i32
    }
    memref.store %0, %arg1[%c0] : memref<1xi32>
    return
  }
}
// ===== smallest_of_a_row | iree-opt 24 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
module {
  func.func @smallest_of_a_row(%arg0: memref<64xi32>, %arg1: memref<1xi32>) {
    %c2147483647_i32 = arith.constant 2147483647 : i32
    %cst = arith.constant dense<2147483647> : vector<4xi32>
    %0 = affine.for %arg2 = 0 to 64 step 4 iter_args(%arg3 = %cst) -> (vector<4xi32>) {
      %2 = ub.poison : i32
      %3 = vector.transfer_read %arg0[%arg2], %2 {in_bounds = [true]} : memref<64xi32>, vector<4xi32>
      %4 = arith.minsi %arg3, %3 : vector<4xi32>
      affine.yield %4 : vector<4xi32>
    }
    %1 = vector.reduction <minsi>, %0 : vector<4xi32> into i32
    affine.store %1, %arg1[0] : memref<1xi32>
    return
  }
}
// ===== column_by_column | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8}
#map = affine_map<(d0, d1) -> (d0)>
module {
  func.func @column_by_column(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to %arg0 step 8 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg1[%arg4, %arg3], %0 {permutation_map = #map} : memref<?x?xf32>, vector<8xf32>
        vector.transfer_write %1, %arg2[%arg4, %arg3] {permutation_map = #map} : vector<8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== column_by_column | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<(d0, d1) -> (d0)>
module {
  func.func @column_by_column(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to %arg0 step 4 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg1[%arg4, %arg3], %0 {permutation_map = #map} : memref<?x?xf32>, vector<4xf32>
        vector.transfer_write %1, %arg2[%arg4, %arg3] {permutation_map = #map} : vector<4xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== column_by_column | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4,8}
#map = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @column_by_column(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 0 to %arg0 step 4 {
      affine.for %arg4 = 0 to %arg0 step 8 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg1[%arg4, %arg3], %0 {permutation_map = #map} : memref<?x?xf32>, vector<4x8xf32>
        vector.transfer_write %1, %arg2[%arg4, %arg3] {permutation_map = #map} : vector<4x8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== column_by_column | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
module {
  func.func @column_by_column(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %0 = ub.poison : f32
    affine.for %arg3 = 0 to %arg0 step 8 {
      affine.for %arg4 = 0 to %arg0 {
        %1 = vector.transfer_read %arg1[%arg4, %arg3], %0 : memref<?x?xf32>, vector<8xf32>
        vector.transfer_write %1, %arg2[%arg4, %arg3] : vector<8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== column_by_column | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @column_by_column(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %0 = ub.poison : vector<4xf32>
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      scf.for %arg4 = %c0 to %arg0 step %c4 {
        %alloca = memref.alloca() : memref<vector<4x1xf32>>
        %1 = scf.for %arg5 = %c0 to %c4 step %c1 iter_args(%arg6 = %0) -> (vector<4xf32>) {
          %5 = affine.apply #map(%arg4, %arg5)
          %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
          %6 = affine.apply #map(%arg4, %arg5)
          %7 = arith.cmpi sgt, %dim, %6 : index
          %8 = scf.if %7 -> (vector<4xf32>) {
            %9 = memref.load %arg1[%5, %arg3] : memref<?x?xf32>
            %10 = vector.insert %9, %arg6 [%arg5] : f32 into vector<4xf32>
            scf.yield %10 : vector<4xf32>
          } else {
            scf.yield %arg6 : vector<4xf32>
          }
          scf.yield %8 : vector<4xf32>
        }
        %2 = vector.broadcast %1 : vector<4xf32> to vector<1x4xf32>
        %3 = vector.transpose %2, [1, 0] : vector<1x4xf32> to vector<4x1xf32>
        memref.store %3, %alloca[] : memref<vector<4x1xf32>>
        %4 = vector.type_cast %alloca : memref<vector<4x1xf32>> to memref<4xvector<1xf32>>
        scf.for %arg5 = %c0 to %c4 step %c1 {
          %dim = memref.dim %arg2, %c0 : memref<?x?xf32>
          %5 = affine.apply #map(%arg4, %arg5)
          %6 = arith.cmpi sgt, %dim, %5 : index
          scf.if %6 {
            %7 = affine.apply #map(%arg4, %arg5)
            %8 = memref.load %4[%arg5] : memref<4xvector<1xf32>>
            vector.transfer_write %8, %arg2[%7, %arg3] {in_bounds = [true]} : vector<1xf32>, memref<?x?xf32>
          } else {
          }
        }
      }
    }
    return
  }
}
// ===== column_by_column | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize
#map = affine_map<(d0, d1) -> (d0 + d1)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @column_by_column(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %0 = ub.poison : vector<4xf32>
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to %arg0 step 4 {
        %1 = scf.for %arg5 = %c0 to %c4 step %c1 iter_args(%arg6 = %0) -> (vector<4xf32>) {
          %11 = affine.apply #map(%arg4, %arg5)
          %dim_3 = memref.dim %arg1, %c0 : memref<?x?xf32>
          %12 = affine.apply #map(%arg4, %arg5)
          %13 = arith.cmpi sgt, %dim_3, %12 : index
          %14 = scf.if %13 -> (vector<4xf32>) {
            %15 = memref.load %arg1[%11, %arg3] : memref<?x?xf32>
            %16 = vector.insert %15, %arg6 [%arg5] : f32 into vector<4xf32>
            scf.yield %16 : vector<4xf32>
          } else {
            scf.yield %arg6 : vector<4xf32>
          }
          scf.yield %14 : vector<4xf32>
        }
        %2 = vector.broadcast %1 : vector<4xf32> to vector<1x4xf32>
        %3 = vector.transpose %2, [1, 0] : vector<1x4xf32> to vector<4x1xf32>
        %dim = memref.dim %arg2, %c0 : memref<?x?xf32>
        %4 = arith.cmpi sgt, %dim, %arg4 : index
        scf.if %4 {
          %11 = vector.extract %3[0] : vector<1xf32> from vector<4x1xf32>
          vector.transfer_write %11, %arg2[%arg4, %arg3] {in_bounds = [true]} : vector<1xf32>, memref<?x?xf32>
        }
        %dim_0 = memref.dim %arg2, %c0 : memref<?x?xf32>
        %5 = affine.apply #map1(%arg4)
        %6 = arith.cmpi sgt, %dim_0, %5 : index
        scf.if %6 {
          %11 = affine.apply #map1(%arg4)
          %12 = vector.extract %3[1] : vector<1xf32> from vector<4x1xf32>
          vector.transfer_write %12, %arg2[%11, %arg3] {in_bounds = [true]} : vector<1xf32>, memref<?x?xf32>
        }
        %dim_1 = memref.dim %arg2, %c0 : memref<?x?xf32>
        %7 = affine.apply #map2(%arg4)
        %8 = arith.cmpi sgt, %dim_1, %7 : index
        scf.if %8 {
          %11 = affine.apply #map2(%arg4)
          %12 = vector.extract %3[2] : vector<1xf32> from vector<4x1xf32>
          vector.transfer_write %12, %arg2[%11, %arg3] {in_bounds = [true]} : vector<1xf32>, memref<?x?xf32>
        }
        %dim_2 = memref.dim %arg2, %c0 : memref<?x?xf32>
        %9 = affine.apply #map3(%arg4)
        %10 = arith.cmpi sgt, %dim_2, %9 : index
        scf.if %10 {
          %11 = affine.apply #map3(%arg4)
          %12 = vector.extract %3[3] : vector<1xf32> from vector<4x1xf32>
          vector.transfer_write %12, %arg2[%11, %arg3] {in_bounds = [true]} : vector<1xf32>, memref<?x?xf32>
        }
      }
    }
    return
  }
}
// ===== constant_in_the_body | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8}
module {
  func.func @constant_in_the_body(%arg0: index, %arg1: memref<?x?xf32>) {
    affine.for %arg2 = 0 to %arg0 {
      affine.for %arg3 = 0 to %arg0 step 8 {
        %cst = arith.constant dense<5.000000e-01> : vector<8xf32>
        vector.transfer_write %cst, %arg1[%arg2, %arg3] : vector<8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== constant_in_the_body | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
module {
  func.func @constant_in_the_body(%arg0: index, %arg1: memref<?x?xf32>) {
    affine.for %arg2 = 0 to %arg0 {
      affine.for %arg3 = 0 to %arg0 step 4 {
        %cst = arith.constant dense<5.000000e-01> : vector<4xf32>
        vector.transfer_write %cst, %arg1[%arg2, %arg3] : vector<4xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== constant_in_the_body | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4,8}
module {
  func.func @constant_in_the_body(%arg0: index, %arg1: memref<?x?xf32>) {
    affine.for %arg2 = 0 to %arg0 step 4 {
      affine.for %arg3 = 0 to %arg0 step 8 {
        %cst = arith.constant dense<5.000000e-01> : vector<4x8xf32>
        vector.transfer_write %cst, %arg1[%arg2, %arg3] : vector<4x8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== constant_in_the_body | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
module {
  func.func @constant_in_the_body(%arg0: index, %arg1: memref<?x?xf32>) {
    %cst = arith.constant dense<5.000000e-01> : vector<8xf32>
    affine.for %arg2 = 0 to %arg0 {
      affine.for %arg3 = 0 to %arg0 step 8 {
        vector.transfer_write %cst, %arg1[%arg2, %arg3] : vector<8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== constant_in_the_body | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @constant_in_the_body(%arg0: index, %arg1: memref<?x?xf32>) {
    %cst = arith.constant dense<5.000000e-01> : vector<4xf32>
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      scf.for %arg3 = %c0 to %arg0 step %c4 {
        vector.transfer_write %cst, %arg1[%arg2, %arg3] : vector<4xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== constant_in_the_body | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize
module {
  func.func @constant_in_the_body(%arg0: index, %arg1: memref<?x?xf32>) {
    %cst = arith.constant dense<5.000000e-01> : vector<4xf32>
    affine.for %arg2 = 0 to %arg0 {
      affine.for %arg3 = 0 to %arg0 step 4 {
        vector.transfer_write %cst, %arg1[%arg2, %arg3] : vector<4xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== applied_index | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8}
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @applied_index(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x64xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 60 step 8 {
        %0 = affine.apply #map(%arg4)
        %1 = ub.poison : f32
        %2 = vector.transfer_read %arg1[%0], %1 : memref<?xf32>, vector<8xf32>
        vector.transfer_write %2, %arg2[%arg3, %arg4] : vector<8xf32>, memref<?x64xf32>
      }
    }
    return
  }
}
// ===== applied_index | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @applied_index(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x64xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 60 step 4 {
        %0 = affine.apply #map(%arg4)
        %1 = ub.poison : f32
        %2 = vector.transfer_read %arg1[%0], %1 : memref<?xf32>, vector<4xf32>
        vector.transfer_write %2, %arg2[%arg3, %arg4] : vector<4xf32>, memref<?x64xf32>
      }
    }
    return
  }
}
// ===== applied_index | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4,8}
#map = affine_map<(d0) -> (d0 + 3)>
#map1 = affine_map<(d0) -> (0, d0)>
module {
  func.func @applied_index(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x64xf32>) {
    affine.for %arg3 = 0 to %arg0 step 4 {
      affine.for %arg4 = 0 to 60 step 8 {
        %0 = affine.apply #map(%arg4)
        %1 = ub.poison : f32
        %2 = vector.transfer_read %arg1[%0], %1 {permutation_map = #map1} : memref<?xf32>, vector<4x8xf32>
        vector.transfer_write %2, %arg2[%arg3, %arg4] : vector<4x8xf32>, memref<?x64xf32>
      }
    }
    return
  }
}
// ===== applied_index | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @applied_index(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x64xf32>) {
    %0 = ub.poison : f32
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 60 step 8 {
        %1 = affine.apply #map(%arg4)
        %2 = vector.transfer_read %arg1[%1], %0 : memref<?xf32>, vector<8xf32>
        vector.transfer_write %2, %arg2[%arg3, %arg4] : vector<8xf32>, memref<?x64xf32>
      }
    }
    return
  }
}
// ===== applied_index | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @applied_index(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x64xf32>) {
    %0 = ub.poison : f32
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c60 = arith.constant 60 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      scf.for %arg4 = %c0 to %c60 step %c4 {
        %1 = arith.addi %arg4, %c3 : index
        %2 = vector.transfer_read %arg1[%1], %0 : memref<?xf32>, vector<4xf32>
        vector.transfer_write %2, %arg2[%arg3, %arg4] : vector<4xf32>, memref<?x64xf32>
      }
    }
    return
  }
}
// ===== applied_index | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @applied_index(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x64xf32>) {
    %0 = ub.poison : f32
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 60 step 4 {
        %1 = affine.apply #map(%arg4)
        %2 = vector.transfer_read %arg1[%1], %0 : memref<?xf32>, vector<4xf32>
        vector.transfer_write %2, %arg2[%arg3, %arg4] : vector<4xf32>, memref<?x64xf32>
      }
    }
    return
  }
}
// ===== applied_index | iree-opt 24 | affine-super-vectorize{virtual-vector-size=8}
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @applied_index(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x64xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 60 step 8 {
        %0 = affine.apply #map(%arg4)
        %1 = ub.poison : f32
        %2 = vector.transfer_read %arg1[%0], %1 : memref<?xf32>, vector<8xf32>
        vector.transfer_write %2, %arg2[%arg3, %arg4] {in_bounds = [true]} : vector<8xf32>, memref<?x64xf32>
      }
    }
    return
  }
}
// ===== applied_index | iree-opt 24 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @applied_index(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x64xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 60 step 4 {
        %0 = affine.apply #map(%arg4)
        %1 = ub.poison : f32
        %2 = vector.transfer_read %arg1[%0], %1 : memref<?xf32>, vector<4xf32>
        vector.transfer_write %2, %arg2[%arg3, %arg4] {in_bounds = [true]} : vector<4xf32>, memref<?x64xf32>
      }
    }
    return
  }
}
// ===== applied_index | iree-opt 24 | affine-super-vectorize{virtual-vector-size=4,8}
#map = affine_map<(d0) -> (d0 + 3)>
#map1 = affine_map<(d0) -> (0, d0)>
module {
  func.func @applied_index(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x64xf32>) {
    affine.for %arg3 = 0 to %arg0 step 4 {
      affine.for %arg4 = 0 to 60 step 8 {
        %0 = affine.apply #map(%arg4)
        %1 = ub.poison : f32
        %2 = vector.transfer_read %arg1[%0], %1 {in_bounds = [true, false], permutation_map = #map1} : memref<?xf32>, vector<4x8xf32>
        vector.transfer_write %2, %arg2[%arg3, %arg4] {in_bounds = [false, true]} : vector<4x8xf32>, memref<?x64xf32>
      }
    }
    return
  }
}
// ===== applied_index | iree-opt 24 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @applied_index(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x64xf32>) {
    %0 = ub.poison : f32
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 60 step 8 {
        %1 = affine.apply #map(%arg4)
        %2 = vector.transfer_read %arg1[%1], %0 : memref<?xf32>, vector<8xf32>
        vector.transfer_write %2, %arg2[%arg3, %arg4] {in_bounds = [true]} : vector<8xf32>, memref<?x64xf32>
      }
    }
    return
  }
}
// ===== step_of_two_vectors | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8}
#map = affine_map<(d0) -> (d0 * 2)>
module {
  func.func @step_of_two_vectors(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 step 8 {
      %0 = affine.apply #map(%arg3)
      %1 = ub.poison : f32
      %2 = vector.transfer_read %arg1[%0], %1 : memref<?xf32>, vector<8xf32>
      vector.transfer_write %2, %arg2[%arg3] : vector<8xf32>, memref<?xf32>
    }
    return
  }
}
// ===== step_of_two_vectors | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<(d0) -> (d0 * 2)>
module {
  func.func @step_of_two_vectors(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 step 4 {
      %0 = affine.apply #map(%arg3)
      %1 = ub.poison : f32
      %2 = vector.transfer_read %arg1[%0], %1 : memref<?xf32>, vector<4xf32>
      vector.transfer_write %2, %arg2[%arg3] : vector<4xf32>, memref<?xf32>
    }
    return
  }
}
// ===== step_of_two_vectors | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
#map = affine_map<(d0) -> (d0 * 2)>
module {
  func.func @step_of_two_vectors(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %0 = ub.poison : f32
    affine.for %arg3 = 0 to %arg0 step 8 {
      %1 = affine.apply #map(%arg3)
      %2 = vector.transfer_read %arg1[%1], %0 : memref<?xf32>, vector<8xf32>
      vector.transfer_write %2, %arg2[%arg3] : vector<8xf32>, memref<?xf32>
    }
    return
  }
}
// ===== step_of_two_vectors | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @step_of_two_vectors(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %0 = ub.poison : f32
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    scf.for %arg3 = %c0 to %arg0 step %c4 {
      %1 = arith.muli %arg3, %c2 overflow<nsw> : index
      %2 = vector.transfer_read %arg1[%1], %0 : memref<?xf32>, vector<4xf32>
      vector.transfer_write %2, %arg2[%arg3] : vector<4xf32>, memref<?xf32>
    }
    return
  }
}
// ===== step_of_two_vectors | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize
#map = affine_map<(d0) -> (d0 * 2)>
module {
  func.func @step_of_two_vectors(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %0 = ub.poison : f32
    affine.for %arg3 = 0 to %arg0 step 4 {
      %1 = affine.apply #map(%arg3)
      %2 = vector.transfer_read %arg1[%1], %0 : memref<?xf32>, vector<4xf32>
      vector.transfer_write %2, %arg2[%arg3] : vector<4xf32>, memref<?xf32>
    }
    return
  }
}
// ===== dot_product_of_integers | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<(d0)[s0] -> (-d0 + s0)>
module {
  func.func @dot_product_of_integers(%arg0: index, %arg1: memref<?xi64>, %arg2: memref<?xi64>, %arg3: memref<1xi64>) {
    %c0_i64 = arith.constant 0 : i64
    %cst = arith.constant dense<0> : vector<4xi64>
    %0 = affine.for %arg4 = 0 to %arg0 step 4 iter_args(%arg5 = %cst) -> (vector<4xi64>) {
      %2 = affine.apply #map(%arg4)[%arg0]
      %3 = vector.create_mask %2 : vector<4xi1>
      %4 = ub.poison : i64
      %5 = vector.transfer_read %arg1[%arg4], %4 : memref<?xi64>, vector<4xi64>
      %6 = ub.poison : i64
      %7 = vector.transfer_read %arg2[%arg4], %6 : memref<?xi64>, vector<4xi64>
      %8 = arith.muli %5, %7 : vector<4xi64>
      %9 = arith.select %3, %8, %cst : vector<4xi1>, vector<4xi64>
      %10 = arith.addi %arg5, %9 : vector<4xi64>
      affine.yield %10 : vector<4xi64>
    }
    %1 = vector.reduction <add>, %0 : vector<4xi64> into i64
    affine.store %1, %arg3[0] : memref<1xi64>
    return
  }
}
// ===== dot_product_of_integers | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @dot_product_of_integers(%arg0: index, %arg1: memref<?xi64>, %arg2: memref<?xi64>, %arg3: memref<1xi64>) {
    %c0_i64 = arith.constant 0 : i64
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = scf.for %arg4 = %c0 to %arg0 step %c1 iter_args(%arg5 = %c0_i64) -> (i64) {
      %1 = memref.load %arg1[%arg4] : memref<?xi64>
      %2 = memref.load %arg2[%arg4] : memref<?xi64>
      %3 = arith.muli %1, %2 : i64
      %4 = arith.addi %arg5, %3 : i64
      scf.yield %4 : i64
    }
    memref.store %0, %arg3[%c0] : memref<1xi64>
    return
  }
}
// ===== inner_bound_of_the_outer_loop | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8}
#map = affine_map<(d0) -> (d0)>
module {
  func.func @inner_bound_of_the_outer_loop(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = #map(%arg3) to %arg0 step 8 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg1[%arg3, %arg4], %0 : memref<?x?xf32>, vector<8xf32>
        vector.transfer_write %1, %arg2[%arg3, %arg4] : vector<8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== inner_bound_of_the_outer_loop | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4 vectorize-reductions=true}
#map = affine_map<(d0) -> (d0)>
module {
  func.func @inner_bound_of_the_outer_loop(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = #map(%arg3) to %arg0 step 4 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg1[%arg3, %arg4], %0 : memref<?x?xf32>, vector<4xf32>
        vector.transfer_write %1, %arg2[%arg3, %arg4] : vector<4xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== inner_bound_of_the_outer_loop | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=8 test-fastest-varying=0},canonicalize
#map = affine_map<(d0) -> (d0)>
module {
  func.func @inner_bound_of_the_outer_loop(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %0 = ub.poison : f32
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = #map(%arg3) to %arg0 step 8 {
        %1 = vector.transfer_read %arg1[%arg3, %arg4], %0 : memref<?x?xf32>, vector<8xf32>
        vector.transfer_write %1, %arg2[%arg3, %arg4] : vector<8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== inner_bound_of_the_outer_loop | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},lower-affine,convert-vector-to-scf
module {
  func.func @inner_bound_of_the_outer_loop(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %0 = ub.poison : f32
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      scf.for %arg4 = %arg3 to %arg0 step %c4 {
        %1 = vector.transfer_read %arg1[%arg3, %arg4], %0 : memref<?x?xf32>, vector<4xf32>
        vector.transfer_write %1, %arg2[%arg3, %arg4] : vector<4xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== inner_bound_of_the_outer_loop | mlir-opt 22 | affine-super-vectorize{virtual-vector-size=4},convert-vector-to-scf{full-unroll=true},canonicalize
#map = affine_map<(d0) -> (d0)>
module {
  func.func @inner_bound_of_the_outer_loop(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %0 = ub.poison : f32
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = #map(%arg3) to %arg0 step 4 {
        %1 = vector.transfer_read %arg1[%arg3, %arg4], %0 : memref<?x?xf32>, vector<4xf32>
        vector.transfer_write %1, %arg2[%arg3, %arg4] : vector<4xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== inner_bound_of_the_outer_loop | iree-opt 24 | affine-super-vectorize{virtual-vector-size=4,8}
#map = affine_map<(d0) -> (d0)>
module {
  func.func @inner_bound_of_the_outer_loop(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 0 to %arg0 step 4 {
      affine.for %arg4 = #map(%arg3) to %arg0 step 8 {
        %0 = ub.poison : f32
        %1 = vector.transfer_read %arg1[%arg3, %arg4], %0 : memref<?x?xf32>, vector<4x8xf32>
        vector.transfer_write %1, %arg2[%arg3, %arg4] : vector<4x8xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
