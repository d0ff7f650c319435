// ===== copy_of_a_tile | mlir-opt 22 | convert-vector-to-scf
#map = affine_map<(d0)[s0] -> (d0 + s0)>
module {
  func.func @copy_of_a_tile(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %cst = arith.constant dense<0.000000e+00> : vector<3xf32>
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %cst_0 = arith.constant 0.000000e+00 : f32
    %alloca = memref.alloca() : memref<vector<4x3xf32>>
    %alloca_1 = memref.alloca() : memref<vector<4x3xf32>>
    %0 = vector.type_cast %alloca : memref<vector<4x3xf32>> to memref<4xvector<3xf32>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
      %3 = affine.apply #map(%arg3)[%arg0]
      %4 = arith.cmpi sgt, %dim, %3 : index
      scf.if %4 {
        %5 = affine.apply #map(%arg3)[%arg0]
        %6 = vector.transfer_read %arg1[%5, %c0], %cst_0 : memref<?x?xf32>, vector<3xf32>
        memref.store %6, %0[%arg3] : memref<4xvector<3xf32>>
      } else {
        memref.store %cst, %0[%arg3] : memref<4xvector<3xf32>>
      }
    }
    %1 = memref.load %alloca[] : memref<vector<4x3xf32>>
    memref.store %1, %alloca_1[] : memref<vector<4x3xf32>>
    %2 = vector.type_cast %alloca_1 : memref<vector<4x3xf32>> to memref<4xvector<3xf32>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %dim = memref.dim %arg2, %c0 : memref<?x?xf32>
      %3 = arith.cmpi sgt, %dim, %arg3 : index
      scf.if %3 {
        %4 = memref.load %2[%arg3] : memref<4xvector<3xf32>>
        vector.transfer_write %4, %arg2[%arg3, %c0] : vector<3xf32>, memref<?x?xf32>
      } else {
      }
    }
    return
  }
}
// ===== copy_of_a_tile | mlir-opt 22 | convert-vector-to-scf{full-unroll=true}
#map = affine_map<()[s0] -> (s0 + 1)>
#map1 = affine_map<()[s0] -> (s0 + 2)>
#map2 = affine_map<()[s0] -> (s0 + 3)>
module {
  func.func @copy_of_a_tile(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %cst_0 = arith.constant dense<0.000000e+00> : vector<4x3xf32>
    %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
    %0 = arith.cmpi sgt, %dim, %arg0 : index
    %1 = scf.if %0 -> (vector<4x3xf32>) {
      %15 = vector.transfer_read %arg1[%arg0, %c0], %cst : memref<?x?xf32>, vector<3xf32>
      %16 = vector.insert %15, %cst_0 [0] : vector<3xf32> into vector<4x3xf32>
      scf.yield %16 : vector<4x3xf32>
    } else {
      scf.yield %cst_0 : vector<4x3xf32>
    }
    %dim_1 = memref.dim %arg1, %c0 : memref<?x?xf32>
    %2 = affine.apply #map()[%arg0]
    %3 = arith.cmpi sgt, %dim_1, %2 : index
    %4 = scf.if %3 -> (vector<4x3xf32>) {
      %15 = affine.apply #map()[%arg0]
      %16 = vector.transfer_read %arg1[%15, %c0], %cst : memref<?x?xf32>, vector<3xf32>
      %17 = vector.insert %16, %1 [1] : vector<3xf32> into vector<4x3xf32>
      scf.yield %17 : vector<4x3xf32>
    } else {
      scf.yield %1 : vector<4x3xf32>
    }
    %dim_2 = memref.dim %arg1, %c0 : memref<?x?xf32>
    %5 = affine.apply #map1()[%arg0]
    %6 = arith.cmpi sgt, %dim_2, %5 : index
    %7 = scf.if %6 -> (vector<4x3xf32>) {
      %15 = affine.apply #map1()[%arg0]
      %16 = vector.transfer_read %arg1[%15, %c0], %cst : memref<?x?xf32>, vector<3xf32>
      %17 = vector.insert %16, %4 [2] : vector<3xf32> into vector<4x3xf32>
      scf.yield %17 : vector<4x3xf32>
    } else {
      scf.yield %4 : vector<4x3xf32>
    }
    %dim_3 = memref.dim %arg1, %c0 : memref<?x?xf32>
    %8 = affine.apply #map2()[%arg0]
    %9 = arith.cmpi sgt, %dim_3, %8 : index
    %10 = scf.if %9 -> (vector<4x3xf32>) {
      %15 = affine.apply #map2()[%arg0]
      %16 = vector.transfer_read %arg1[%15, %c0], %cst : memref<?x?xf32>, vector<3xf32>
      %17 = vector.insert %16, %7 [3] : vector<3xf32> into vector<4x3xf32>
      scf.yield %17 : vector<4x3xf32>
    } else {
      scf.yield %7 : vector<4x3xf32>
    }
    %dim_4 = memref.dim %arg2, %c0 : memref<?x?xf32>
    %11 = arith.cmpi sgt, %dim_4, %c0 : index
    scf.if %11 {
      %15 = vector.extract %10[0] : vector<3xf32> from vector<4x3xf32>
      vector.transfer_write %15, %arg2[%c0, %c0] : vector<3xf32>, memref<?x?xf32>
    } else {
    }
    %dim_5 = memref.dim %arg2, %c0 : memref<?x?xf32>
    %12 = arith.cmpi sgt, %dim_5, %c1 : index
    scf.if %12 {
      %15 = vector.extract %10[1] : vector<3xf32> from vector<4x3xf32>
      vector.transfer_write %15, %arg2[%c1, %c0] : vector<3xf32>, memref<?x?xf32>
    } else {
    }
    %dim_6 = memref.dim %arg2, %c0 : memref<?x?xf32>
    %13 = arith.cmpi sgt, %dim_6, %c2 : index
    scf.if %13 {
      %15 = vector.extract %10[2] : vector<3xf32> from vector<4x3xf32>
      vector.transfer_write %15, %arg2[%c2, %c0] : vector<3xf32>, memref<?x?xf32>
    } else {
    }
    %dim_7 = memref.dim %arg2, %c0 : memref<?x?xf32>
    %14 = arith.cmpi sgt, %dim_7, %c3 : index
    scf.if %14 {
      %15 = vector.extract %10[3] : vector<3xf32> from vector<4x3xf32>
      vector.transfer_write %15, %arg2[%c3, %c0] : vector<3xf32>, memref<?x?xf32>
    } else {
    }
    return
  }
}
// ===== copy_of_a_tile | mlir-opt 22 | convert-vector-to-scf{target-rank=0}
#map = affine_map<(d0)[s0] -> (d0 + s0)>
module {
  func.func @copy_of_a_tile(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %cst = arith.constant dense<0.000000e+00> : vector<f32>
    %cst_0 = arith.constant dense<0.000000e+00> : vector<3xf32>
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %cst_1 = arith.constant 0.000000e+00 : f32
    %alloca = memref.alloca() : memref<vector<4x3xf32>>
    %alloca_2 = memref.alloca() : memref<vector<4x3xf32>>
    %0 = vector.type_cast %alloca : memref<vector<4x3xf32>> to memref<4xvector<3xf32>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
      %3 = affine.apply #map(%arg3)[%arg0]
      %4 = arith.cmpi sgt, %dim, %3 : index
      scf.if %4 {
        %5 = affine.apply #map(%arg3)[%arg0]
        %6 = vector.type_cast %0 : memref<4xvector<3xf32>> to memref<4x3xvector<f32>>
        scf.for %arg4 = %c0 to %c3 step %c1 {
          %dim_3 = memref.dim %arg1, %c1 : memref<?x?xf32>
          %7 = arith.cmpi sgt, %dim_3, %arg4 : index
          scf.if %7 {
            %8 = vector.transfer_read %arg1[%5, %arg4], %cst_1 : memref<?x?xf32>, vector<f32>
            memref.store %8, %6[%arg3, %arg4] : memref<4x3xvector<f32>>
          } else {
            memref.store %cst, %6[%arg3, %arg4] : memref<4x3xvector<f32>>
          }
        }
      } else {
        memref.store %cst_0, %0[%arg3] : memref<4xvector<3xf32>>
      }
    }
    %1 = memref.load %alloca[] : memref<vector<4x3xf32>>
    memref.store %1, %alloca_2[] : memref<vector<4x3xf32>>
    %2 = vector.type_cast %alloca_2 : memref<vector<4x3xf32>> to memref<4xvector<3xf32>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %dim = memref.dim %arg2, %c0 : memref<?x?xf32>
      %3 = arith.cmpi sgt, %dim, %arg3 : index
      scf.if %3 {
        %4 = vector.type_cast %2 : memref<4xvector<3xf32>> to memref<4x3xvector<f32>>
        scf.for %arg4 = %c0 to %c3 step %c1 {
          %dim_3 = memref.dim %arg2, %c1 : memref<?x?xf32>
          %5 = arith.cmpi sgt, %dim_3, %arg4 : index
          scf.if %5 {
            %6 = memref.load %4[%arg3, %arg4] : memref<4x3xvector<f32>>
            vector.transfer_write %6, %arg2[%arg3, %arg4] : vector<f32>, memref<?x?xf32>
          } else {
          }
        }
      } else {
      }
    }
    return
  }
}
// ===== copy_of_a_tile | mlir-opt 22 | convert-vector-to-scf,lower-affine,canonicalize
module {
  func.func @copy_of_a_tile(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %cst = arith.constant dense<0.000000e+00> : vector<3xf32>
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %cst_0 = arith.constant 0.000000e+00 : f32
    %alloca = memref.alloca() : memref<vector<4x3xf32>>
    %alloca_1 = memref.alloca() : memref<vector<4x3xf32>>
    %0 = vector.type_cast %alloca : memref<vector<4x3xf32>> to memref<4xvector<3xf32>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
      %3 = arith.addi %arg3, %arg0 : index
      %4 = arith.cmpi sgt, %dim, %3 : index
      scf.if %4 {
        %5 = arith.addi %arg3, %arg0 : index
        %6 = vector.transfer_read %arg1[%5, %c0], %cst_0 : memref<?x?xf32>, vector<3xf32>
        memref.store %6, %0[%arg3] : memref<4xvector<3xf32>>
      } else {
        memref.store %cst, %0[%arg3] : memref<4xvector<3xf32>>
      }
    }
    %1 = memref.load %alloca[] : memref<vector<4x3xf32>>
    memref.store %1, %alloca_1[] : memref<vector<4x3xf32>>
    %2 = vector.type_cast %alloca_1 : memref<vector<4x3xf32>> to memref<4xvector<3xf32>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %dim = memref.dim %arg2, %c0 : memref<?x?xf32>
      %3 = arith.cmpi sgt, %dim, %arg3 : index
      scf.if %3 {
        %4 = memref.load %2[%arg3] : memref<4xvector<3xf32>>
        vector.transfer_write %4, %arg2[%arg3, %c0] : vector<3xf32>, memref<?x?xf32>
      }
    }
    return
  }
}
// ===== rows_by_eight | mlir-opt 22 | convert-vector-to-scf{target-rank=0}
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @rows_by_eight(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %cst = arith.constant dense<0.000000e+00> : vector<f32>
    %c1 = arith.constant 1 : index
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    scf.for %arg2 = %c0 to %dim step %c8 {
      %alloca = memref.alloca() : memref<vector<8xf32>>
      %alloca_1 = memref.alloca() : memref<vector<8xf32>>
      %0 = vector.type_cast %alloca : memref<vector<8xf32>> to memref<8xvector<f32>>
      scf.for %arg3 = %c0 to %c8 step %c1 {
        %dim_2 = memref.dim %arg0, %c0 : memref<?xf32>
        %4 = affine.apply #map(%arg2, %arg3)
        %5 = arith.cmpi sgt, %dim_2, %4 : index
        scf.if %5 {
          %6 = affine.apply #map(%arg2, %arg3)
          %7 = vector.transfer_read %arg0[%6], %cst_0 : memref<?xf32>, vector<f32>
          memref.store %7, %0[%arg3] : memref<8xvector<f32>>
        } else {
          memref.store %cst, %0[%arg3] : memref<8xvector<f32>>
        }
      }
      %1 = memref.load %alloca[] : memref<vector<8xf32>>
      %2 = arith.mulf %1, %1 : vector<8xf32>
      memref.store %2, %alloca_1[] : memref<vector<8xf32>>
      %3 = vector.type_cast %alloca_1 : memref<vector<8xf32>> to memref<8xvector<f32>>
      scf.for %arg3 = %c0 to %c8 step %c1 {
        %dim_2 = memref.dim %arg1, %c0 : memref<?xf32>
        %4 = affine.apply #map(%arg2, %arg3)
        %5 = arith.cmpi sgt, %dim_2, %4 : index
        scf.if %5 {
          %6 = affine.apply #map(%arg2, %arg3)
          %7 = memref.load %3[%arg3] : memref<8xvector<f32>>
          vector.transfer_write %7, %arg1[%6] : vector<f32>, memref<?xf32>
        } else {
        }
      }
    }
    return
  }
}
// ===== rows_by_eight | mlir-opt 22 | scf-for-loop-peeling,canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 8) * 8)>
module {
  func.func @rows_by_eight(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0 = affine.apply #map()[%dim]
    scf.for %arg2 = %c0 to %0 step %c8 {
      %1 = vector.transfer_read %arg0[%arg2], %cst : memref<?xf32>, vector<8xf32>
      %2 = arith.mulf %1, %1 : vector<8xf32>
      vector.transfer_write %2, %arg1[%arg2] : vector<8xf32>, memref<?xf32>
    }
    scf.for %arg2 = %0 to %dim step %c8 {
      %1 = vector.transfer_read %arg0[%arg2], %cst : memref<?xf32>, vector<8xf32>
      %2 = arith.mulf %1, %1 : vector<8xf32>
      vector.transfer_write %2, %arg1[%arg2] : vector<8xf32>, memref<?xf32>
    }
    return
  }
}
// ===== vector_load_in_a_peeled_loop | mlir-opt 22 | canonicalize
#map = affine_map<(d0)[s0] -> (-d0 + s0, 4)>
module {
  func.func @vector_load_in_a_peeled_loop(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    scf.for %arg3 = %c0 to %arg0 step %c4 {
      %0 = affine.min #map(%arg3)[%arg0]
      %1 = vector.create_mask %0 : vector<4xi1>
      %2 = vector.maskedload %arg1[%arg3], %1, %cst : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      %3 = arith.addf %2, %2 : vector<4xf32>
      vector.maskedstore %arg2[%arg3], %1, %3 : memref<?xf32>, vector<4xi1>, vector<4xf32>
    }
    return
  }
}
// ===== vector_load_in_a_peeled_loop | mlir-opt 22 | scf-for-loop-peeling,canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0)[s0] -> (-d0 + s0)>
module {
  func.func @vector_load_in_a_peeled_loop(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %0 = affine.apply #map()[%arg0]
    scf.for %arg3 = %c0 to %0 step %c4 {
      %1 = vector.load %arg1[%arg3] : memref<?xf32>, vector<4xf32>
      %2 = arith.addf %1, %1 : vector<4xf32>
      vector.store %2, %arg2[%arg3] : memref<?xf32>, vector<4xf32>
    }
    scf.for %arg3 = %0 to %arg0 step %c4 {
      %1 = affine.apply #map1(%arg3)[%arg0]
      %2 = vector.create_mask %1 : vector<4xi1>
      %3 = vector.maskedload %arg1[%arg3], %2, %cst : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      %4 = arith.addf %3, %3 : vector<4xf32>
      vector.maskedstore %arg2[%arg3], %2, %4 : memref<?xf32>, vector<4xi1>, vector<4xf32>
    }
    return
  }
}
// ===== vector_load_in_a_peeled_loop | mlir-opt 22 | convert-vector-to-scf,lower-affine,canonicalize
module {
  func.func @vector_load_in_a_peeled_loop(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    scf.for %arg3 = %c0 to %arg0 step %c4 {
      %0 = arith.subi %arg0, %arg3 : index
      %1 = arith.minsi %0, %c4 : index
      %2 = vector.create_mask %1 : vector<4xi1>
      %3 = vector.maskedload %arg1[%arg3], %2, %cst : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
      %4 = arith.addf %3, %3 : vector<4xf32>
      vector.maskedstore %arg2[%arg3], %2, %4 : memref<?xf32>, vector<4xi1>, vector<4xf32>
    }
    return
  }
}
// ===== transposed_read | mlir-opt 22 | convert-vector-to-scf
module {
  func.func @transposed_read(%arg0: memref<?x?xf32>, %arg1: memref<4x5xf32>) {
    %cst = arith.constant dense<1.000000e+00> : vector<4xf32>
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c0 = arith.constant 0 : index
    %cst_0 = arith.constant 1.000000e+00 : f32
    %alloca = memref.alloca() : memref<vector<5x4xf32>>
    %alloca_1 = memref.alloca() : memref<vector<4x5xf32>>
    %0 = vector.type_cast %alloca : memref<vector<5x4xf32>> to memref<5xvector<4xf32>>
    scf.for %arg2 = %c0 to %c5 step %c1 {
      %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
      %4 = arith.cmpi sgt, %dim, %arg2 : index
      scf.if %4 {
        %5 = vector.transfer_read %arg0[%arg2, %c0], %cst_0 : memref<?x?xf32>, vector<4xf32>
        memref.store %5, %0[%arg2] : memref<5xvector<4xf32>>
      } else {
        memref.store %cst, %0[%arg2] : memref<5xvector<4xf32>>
      }
    }
    %1 = memref.load %alloca[] : memref<vector<5x4xf32>>
    %2 = vector.transpose %1, [1, 0] : vector<5x4xf32> to vector<4x5xf32>
    memref.store %2, %alloca_1[] : memref<vector<4x5xf32>>
    %3 = vector.type_cast %alloca_1 : memref<vector<4x5xf32>> to memref<4xvector<5xf32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %4 = memref.load %3[%arg2] : memref<4xvector<5xf32>>
      vector.transfer_write %4, %arg1[%arg2, %c0] {in_bounds = [true]} : vector<5xf32>, memref<4x5xf32>
    }
    return
  }
}
// ===== transposed_read | mlir-opt 22 | convert-vector-to-scf{full-unroll=true}
module {
  func.func @transposed_read(%arg0: memref<?x?xf32>, %arg1: memref<4x5xf32>) {
    %c4 = arith.constant 4 : index
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 1.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %cst_0 = arith.constant dense<1.000000e+00> : vector<5x4xf32>
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %0 = arith.cmpi sgt, %dim, %c0 : index
    %1 = scf.if %0 -> (vector<5x4xf32>) {
      %15 = vector.transfer_read %arg0[%c0, %c0], %cst : memref<?x?xf32>, vector<4xf32>
      %16 = vector.insert %15, %cst_0 [0] : vector<4xf32> into vector<5x4xf32>
      scf.yield %16 : vector<5x4xf32>
    } else {
      scf.yield %cst_0 : vector<5x4xf32>
    }
    %dim_1 = memref.dim %arg0, %c0 : memref<?x?xf32>
    %2 = arith.cmpi sgt, %dim_1, %c1 : index
    %3 = scf.if %2 -> (vector<5x4xf32>) {
      %15 = vector.transfer_read %arg0[%c1, %c0], %cst : memref<?x?xf32>, vector<4xf32>
      %16 = vector.insert %15, %1 [1] : vector<4xf32> into vector<5x4xf32>
      scf.yield %16 : vector<5x4xf32>
    } else {
      scf.yield %1 : vector<5x4xf32>
    }
    %dim_2 = memref.dim %arg0, %c0 : memref<?x?xf32>
    %4 = arith.cmpi sgt, %dim_2, %c2 : index
    %5 = scf.if %4 -> (vector<5x4xf32>) {
      %15 = vector.transfer_read %arg0[%c2, %c0], %cst : memref<?x?xf32>, vector<4xf32>
      %16 = vector.insert %15, %3 [2] : vector<4xf32> into vector<5x4xf32>
      scf.yield %16 : vector<5x4xf32>
    } else {
      scf.yield %3 : vector<5x4xf32>
    }
    %dim_3 = memref.dim %arg0, %c0 : memref<?x?xf32>
    %6 = arith.cmpi sgt, %dim_3, %c3 : index
    %7 = scf.if %6 -> (vector<5x4xf32>) {
      %15 = vector.transfer_read %arg0[%c3, %c0], %cst : memref<?x?xf32>, vector<4xf32>
      %16 = vector.insert %15, %5 [3] : vector<4xf32> into vector<5x4xf32>
      scf.yield %16 : vector<5x4xf32>
    } else {
      scf.yield %5 : vector<5x4xf32>
    }
    %dim_4 = memref.dim %arg0, %c0 : memref<?x?xf32>
    %8 = arith.cmpi sgt, %dim_4, %c4 : index
    %9 = scf.if %8 -> (vector<5x4xf32>) {
      %15 = vector.transfer_read %arg0[%c4, %c0], %cst : memref<?x?xf32>, vector<4xf32>
      %16 = vector.insert %15, %7 [4] : vector<4xf32> into vector<5x4xf32>
      scf.yield %16 : vector<5x4xf32>
    } else {
      scf.yield %7 : vector<5x4xf32>
    }
    %10 = vector.transpose %9, [1, 0] : vector<5x4xf32> to vector<4x5xf32>
    %11 = vector.extract %10[0] : vector<5xf32> from vector<4x5xf32>
    vector.transfer_write %11, %arg1[%c0, %c0] {in_bounds = [true]} : vector<5xf32>, memref<4x5xf32>
    %12 = vector.extract %10[1] : vector<5xf32> from vector<4x5xf32>
    vector.transfer_write %12, %arg1[%c1, %c0] {in_bounds = [true]} : vector<5xf32>, memref<4x5xf32>
    %13 = vector.extract %10[2] : vector<5xf32> from vector<4x5xf32>
    vector.transfer_write %13, %arg1[%c2, %c0] {in_bounds = [true]} : vector<5xf32>, memref<4x5xf32>
    %14 = vector.extract %10[3] : vector<5xf32> from vector<4x5xf32>
    vector.transfer_write %14, %arg1[%c3, %c0] {in_bounds = [true]} : vector<5xf32>, memref<4x5xf32>
    return
  }
}
// ===== transposed_read | mlir-opt 22 | convert-vector-to-scf{target-rank=0}
module {
  func.func @transposed_read(%arg0: memref<?x?xf32>, %arg1: memref<4x5xf32>) {
    %cst = arith.constant dense<1.000000e+00> : vector<f32>
    %cst_0 = arith.constant dense<1.000000e+00> : vector<4xf32>
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c0 = arith.constant 0 : index
    %cst_1 = arith.constant 1.000000e+00 : f32
    %alloca = memref.alloca() : memref<vector<5x4xf32>>
    %alloca_2 = memref.alloca() : memref<vector<4x5xf32>>
    %0 = vector.type_cast %alloca : memref<vector<5x4xf32>> to memref<5xvector<4xf32>>
    scf.for %arg2 = %c0 to %c5 step %c1 {
      %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
      %4 = arith.cmpi sgt, %dim, %arg2 : index
      scf.if %4 {
        %5 = vector.type_cast %0 : memref<5xvector<4xf32>> to memref<5x4xvector<f32>>
        scf.for %arg3 = %c0 to %c4 step %c1 {
          %dim_3 = memref.dim %arg0, %c1 : memref<?x?xf32>
          %6 = arith.cmpi sgt, %dim_3, %arg3 : index
          scf.if %6 {
            %7 = vector.transfer_read %arg0[%arg2, %arg3], %cst_1 : memref<?x?xf32>, vector<f32>
            memref.store %7, %5[%arg2, %arg3] : memref<5x4xvector<f32>>
          } else {
            memref.store %cst, %5[%arg2, %arg3] : memref<5x4xvector<f32>>
          }
        }
      } else {
        memref.store %cst_0, %0[%arg2] : memref<5xvector<4xf32>>
      }
    }
    %1 = memref.load %alloca[] : memref<vector<5x4xf32>>
    %2 = vector.transpose %1, [1, 0] : vector<5x4xf32> to vector<4x5xf32>
    memref.store %2, %alloca_2[] : memref<vector<4x5xf32>>
    %3 = vector.type_cast %alloca_2 : memref<vector<4x5xf32>> to memref<4xvector<5xf32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %4 = vector.type_cast %3 : memref<4xvector<5xf32>> to memref<4x5xvector<f32>>
      scf.for %arg3 = %c0 to %c5 step %c1 {
        %5 = memref.load %4[%arg2, %arg3] : memref<4x5xvector<f32>>
        vector.transfer_write %5, %arg1[%arg2, %arg3] : vector<f32>, memref<4x5xf32>
      }
    }
    return
  }
}
// ===== broadcast_read | mlir-opt 22 | convert-vector-to-scf
module {
  func.func @broadcast_read(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = vector.broadcast %0 : f32 to vector<8xf32>
      vector.transfer_write %1, %arg2[%arg3, %c0] {in_bounds = [true]} : vector<8xf32>, memref<?x8xf32>
    }
    return
  }
}
// ===== broadcast_read | mlir-opt 22 | convert-vector-to-scf{target-rank=0}
module {
  func.func @broadcast_read(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?x8xf32>) {
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %alloca = memref.alloca() : memref<vector<8xf32>>
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = vector.broadcast %0 : f32 to vector<8xf32>
      memref.store %1, %alloca[] : memref<vector<8xf32>>
      %2 = vector.type_cast %alloca : memref<vector<8xf32>> to memref<8xvector<f32>>
      scf.for %arg4 = %c0 to %c8 step %c1 {
        %3 = memref.load %2[%arg4] : memref<8xvector<f32>>
        vector.transfer_write %3, %arg2[%arg3, %arg4] : vector<f32>, memref<?x8xf32>
      }
    }
    return
  }
}
// ===== plain_loads_and_stores | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @plain_loads_and_stores(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>, %arg3: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %0 = vector.broadcast %arg3 : f32 to vector<8xf32>
    %1 = vector.broadcast %arg3 : f32 to vector<8xf32>
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %2 = vector.load %arg1[%arg4, %c0] : memref<?x8xf32>, vector<8xf32>
      %3 = arith.mulf %2, %0 : vector<8xf32>
      %4 = arith.addf %3, %1 : vector<8xf32>
      vector.store %4, %arg2[%arg4, %c0] : memref<?x8xf32>, vector<8xf32>
    }
    return
  }
}
// ===== plain_loads_and_stores | mlir-opt 22 | cse,canonicalize
module {
  func.func @plain_loads_and_stores(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x8xf32>, %arg3: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg4 = %c0 to %arg0 step %c1 {
      %0 = vector.load %arg1[%arg4, %c0] : memref<?x8xf32>, vector<8xf32>
      %1 = vector.broadcast %arg3 : f32 to vector<8xf32>
      %2 = arith.mulf %0, %1 : vector<8xf32>
      %3 = arith.addf %2, %1 : vector<8xf32>
      vector.store %3, %arg2[%arg4, %c0] : memref<?x8xf32>, vector<8xf32>
    }
    return
  }
}
// ===== sum_of_the_lanes | mlir-opt 22 | convert-vector-to-scf
module {
  func.func @sum_of_the_lanes(%arg0: memref<4x8xi32>, %arg1: memref<4xi32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %cst = arith.constant dense<0> : vector<4xi32>
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %alloca = memref.alloca() : memref<vector<4x8xi32>>
    %0 = vector.type_cast %alloca : memref<vector<4x8xi32>> to memref<4xvector<8xi32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %3 = vector.transfer_read %arg0[%arg2, %c0], %c0_i32 {in_bounds = [true]} : memref<4x8xi32>, vector<8xi32>
      memref.store %3, %0[%arg2] : memref<4xvector<8xi32>>
    }
    %1 = memref.load %alloca[] : memref<vector<4x8xi32>>
    %2 = vector.multi_reduction <add>, %1, %cst [1] : vector<4x8xi32> to vector<4xi32>
    vector.transfer_write %2, %arg1[%c0] {in_bounds = [true]} : vector<4xi32>, memref<4xi32>
    return
  }
}
// ===== sum_of_the_lanes | mlir-opt 22 | convert-vector-to-scf{full-unroll=true}
module {
  func.func @sum_of_the_lanes(%arg0: memref<4x8xi32>, %arg1: memref<4xi32>) {
    %c3 = arith.constant 3 : index
    %c2 = arith.constant 2 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : vector<4xi32>
    %cst_0 = arith.constant dense<0> : vector<4x8xi32>
    %0 = vector.transfer_read %arg0[%c0, %c0], %c0_i32 {in_bounds = [true]} : memref<4x8xi32>, vector<8xi32>
    %1 = vector.insert %0, %cst_0 [0] : vector<8xi32> into vector<4x8xi32>
    %2 = vector.transfer_read %arg0[%c1, %c0], %c0_i32 {in_bounds = [true]} : memref<4x8xi32>, vector<8xi32>
    %3 = vector.insert %2, %1 [1] : vector<8xi32> into vector<4x8xi32>
    %4 = vector.transfer_read %arg0[%c2, %c0], %c0_i32 {in_bounds = [true]} : memref<4x8xi32>, vector<8xi32>
    %5 = vector.insert %4, %3 [2] : vector<8xi32> into vector<4x8xi32>
    %6 = vector.transfer_read %arg0[%c3, %c0], %c0_i32 {in_bounds = [true]} : memref<4x8xi32>, vector<8xi32>
    %7 = vector.insert %6, %5 [3] : vector<8xi32> into vector<4x8xi32>
    %8 = vector.multi_reduction <add>, %7, %cst [1] : vector<4x8xi32> to vector<4xi32>
    vector.transfer_write %8, %arg1[%c0] {in_bounds = [true]} : vector<4xi32>, memref<4xi32>
    return
  }
}
// ===== sum_of_the_lanes | mlir-opt 22 | convert-vector-to-scf{target-rank=0}
module {
  func.func @sum_of_the_lanes(%arg0: memref<4x8xi32>, %arg1: memref<4xi32>) {
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %cst = arith.constant dense<0> : vector<4xi32>
    %c0_i32 = arith.constant 0 : i32
    %c0 = arith.constant 0 : index
    %alloca = memref.alloca() : memref<vector<4x8xi32>>
    %alloca_0 = memref.alloca() : memref<vector<4xi32>>
    %0 = vector.type_cast %alloca : memref<vector<4x8xi32>> to memref<4xvector<8xi32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %4 = vector.type_cast %0 : memref<4xvector<8xi32>> to memref<4x8xvector<i32>>
      scf.for %arg3 = %c0 to %c8 step %c1 {
        %5 = vector.transfer_read %arg0[%arg2, %arg3], %c0_i32 : memref<4x8xi32>, vector<i32>
        memref.store %5, %4[%arg2, %arg3] : memref<4x8xvector<i32>>
      }
    }
    %1 = memref.load %alloca[] : memref<vector<4x8xi32>>
    %2 = vector.multi_reduction <add>, %1, %cst [1] : vector<4x8xi32> to vector<4xi32>
    memref.store %2, %alloca_0[] : memref<vector<4xi32>>
    %3 = vector.type_cast %alloca_0 : memref<vector<4xi32>> to memref<4xvector<i32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %4 = memref.load %3[%arg2] : memref<4xvector<i32>>
      vector.transfer_write %4, %arg1[%arg2] : vector<i32>, memref<4xi32>
    }
    return
  }
}
// ===== sum_of_the_lanes | mlir-opt 22 | lower-vector-multi-reduction
module {
  func.func @sum_of_the_lanes(%arg0: memref<4x8xi32>, %arg1: memref<4xi32>) {
    %c0 = arith.constant 0 : index
    %c0_i32 = arith.constant 0 : i32
    %0 = vector.transfer_read %arg0[%c0, %c0], %c0_i32 {in_bounds = [true, true]} : memref<4x8xi32>, vector<4x8xi32>
    %1 = vector.transpose %0, [1, 0] : vector<4x8xi32> to vector<8x4xi32>
    %2 = vector.extract %1[0] : vector<4xi32> from vector<8x4xi32>
    %3 = vector.extract %1[1] : vector<4xi32> from vector<8x4xi32>
    %4 = arith.addi %3, %2 : vector<4xi32>
    %5 = vector.extract %1[2] : vector<4xi32> from vector<8x4xi32>
    %6 = arith.addi %5, %4 : vector<4xi32>
    %7 = vector.extract %1[3] : vector<4xi32> from vector<8x4xi32>
    %8 = arith.addi %7, %6 : vector<4xi32>
    %9 = vector.extract %1[4] : vector<4xi32> from vector<8x4xi32>
    %10 = arith.addi %9, %8 : vector<4xi32>
    %11 = vector.extract %1[5] : vector<4xi32> from vector<8x4xi32>
    %12 = arith.addi %11, %10 : vector<4xi32>
    %13 = vector.extract %1[6] : vector<4xi32> from vector<8x4xi32>
    %14 = arith.addi %13, %12 : vector<4xi32>
    %15 = vector.extract %1[7] : vector<4xi32> from vector<8x4xi32>
    %16 = arith.addi %15, %14 : vector<4xi32>
    vector.transfer_write %16, %arg1[%c0] {in_bounds = [true]} : vector<4xi32>, memref<4xi32>
    return
  }
}
// ===== reduction_of_each_row | mlir-opt 22 | cse,canonicalize
module {
  func.func @reduction_of_each_row(%arg0: index, %arg1: memref<?x8xi32>, %arg2: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = vector.load %arg1[%arg3, %c0] : memref<?x8xi32>, vector<8xi32>
      %1 = arith.muli %0, %0 : vector<8xi32>
      %2 = vector.reduction <add>, %1 : vector<8xi32> into i32
      memref.store %2, %arg2[%arg3] : memref<?xi32>
    }
    return
  }
}
// ===== splat_of_a_constant | mlir-opt 22 | convert-vector-to-scf
module {
  func.func @splat_of_a_constant(%arg0: index, %arg1: memref<?x4xf32>) {
    %cst = arith.constant dense<5.000000e-01> : vector<4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      vector.store %cst, %arg1[%arg2, %c0] : memref<?x4xf32>, vector<4xf32>
    }
    return
  }
}
// ===== splat_of_a_constant | mlir-opt 22 | loop-invariant-code-motion
module {
  func.func @splat_of_a_constant(%arg0: index, %arg1: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 5.000000e-01 : f32
    %0 = vector.broadcast %cst : f32 to vector<4xf32>
    scf.for %arg2 = %c0 to %arg0 step %c1 {
      vector.store %0, %arg1[%arg2, %c0] : memref<?x4xf32>, vector<4xf32>
    }
    return
  }
}
// ===== extracted_and_inserted_lanes | mlir-opt 22 | convert-vector-to-scf
module {
  func.func @extracted_and_inserted_lanes(%arg0: index, %arg1: memref<?x4xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = vector.load %arg1[%arg3, %c0] : memref<?x4xf32>, vector<4xf32>
      %1 = vector.extract %0[1] : f32 from vector<4xf32>
      %2 = vector.extract %0[0] : f32 from vector<4xf32>
      %3 = arith.addf %1, %2 : f32
      memref.store %3, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== carried_vector | mlir-opt 22 | convert-vector-to-scf{target-rank=0}
module {
  func.func @carried_vector(%arg0: index, %arg1: memref<?x8xi32>, %arg2: memref<8xi32>) {
    %c8 = arith.constant 8 : index
    %c0_i32 = arith.constant 0 : i32
    %cst = arith.constant dense<0> : vector<8xi32>
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %alloca = memref.alloca() : memref<vector<8xi32>>
    %0 = scf.for %arg3 = %c0 to %arg0 step %c1 iter_args(%arg4 = %cst) -> (vector<8xi32>) {
      %alloca_0 = memref.alloca() : memref<vector<8xi32>>
      %2 = vector.type_cast %alloca_0 : memref<vector<8xi32>> to memref<8xvector<i32>>
      scf.for %arg5 = %c0 to %c8 step %c1 {
        %5 = vector.transfer_read %arg1[%arg3, %arg5], %c0_i32 : memref<?x8xi32>, vector<i32>
        memref.store %5, %2[%arg5] : memref<8xvector<i32>>
      }
      %3 = memref.load %alloca_0[] : memref<vector<8xi32>>
      %4 = arith.addi %arg4, %3 : vector<8xi32>
      scf.yield %4 : vector<8xi32>
    }
    memref.store %0, %alloca[] : memref<vector<8xi32>>
    %1 = vector.type_cast %alloca : memref<vector<8xi32>> to memref<8xvector<i32>>
    scf.for %arg3 = %c0 to %c8 step %c1 {
      %2 = memref.load %1[%arg3] : memref<8xvector<i32>>
      vector.transfer_write %2, %arg2[%arg3] : vector<i32>, memref<8xi32>
    }
    return
  }
}
// ===== masked_copy | mlir-opt 22 | lower-vector-mask
module {
  func.func @masked_copy(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %0 = vector.create_mask %arg0 : vector<8xi1>
    %1 = vector.transfer_read %arg1[%c0], %cst, %0 : memref<?xf32>, vector<8xf32>
    vector.transfer_write %1, %arg2[%c0], %0 : vector<8xf32>, memref<?xf32>
    return
  }
}
// ===== lane_of_a_slice | mlir-opt 22 | convert-vector-to-scf
module {
  func.func @lane_of_a_slice(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = vector.load %arg1[%arg3, %c0] : memref<?x8xf32>, vector<8xf32>
      %1 = vector.extract %0[3] : f32 from vector<8xf32>
      memref.store %1, %arg2[%arg3, %c0] : memref<?x4xf32>
    }
    return
  }
}
