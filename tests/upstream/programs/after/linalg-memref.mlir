// ===== matmul_of_open_sizes | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @matmul_of_open_sizes(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      scf.for %arg4 = %c0 to %dim_1 step %c1 {
        scf.for %arg5 = %c0 to %dim_0 step %c1 {
          %0 = memref.load %arg0[%arg3, %arg5] : memref<?x?xf32>
          %1 = memref.load %arg1[%arg5, %arg4] : memref<?x?xf32>
          %2 = memref.load %arg2[%arg3, %arg4] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          memref.store %4, %arg2[%arg3, %arg4] : memref<?x?xf32>
        }
      }
    }
    return
  }
}
// ===== matmul_of_open_sizes | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @matmul_of_open_sizes(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_1 {
        affine.for %arg5 = 0 to %dim_0 {
          %0 = affine.load %arg0[%arg3, %arg5] : memref<?x?xf32>
          %1 = affine.load %arg1[%arg5, %arg4] : memref<?x?xf32>
          %2 = affine.load %arg2[%arg3, %arg4] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg2[%arg3, %arg4] : memref<?x?xf32>
        }
      }
    }
    return
  }
}
// ===== matmul_of_open_sizes | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @matmul_of_open_sizes(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32>
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%dim, %dim_1) step (%c1, %c1) {
      scf.for %arg5 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg5] : memref<?x?xf32>
        %1 = memref.load %arg1[%arg5, %arg4] : memref<?x?xf32>
        %2 = memref.load %arg2[%arg3, %arg4] : memref<?x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
      scf.reduce 
    }
    return
  }
}
// ===== matmul_of_open_sizes | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @matmul_of_open_sizes(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg2 : memref<?x?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== matmul_of_open_sizes | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @matmul_of_open_sizes(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = 0 to %dim_1 step 4 {
        affine.for %arg5 = 0 to %dim_0 step 4 {
          affine.for %arg6 = #map(%arg3) to min #map1(%arg3)[%dim] {
            affine.for %arg7 = #map(%arg4) to min #map1(%arg4)[%dim_1] {
              affine.for %arg8 = #map(%arg5) to min #map1(%arg5)[%dim_0] {
                %0 = affine.load %arg0[%arg6, %arg8] : memref<?x?xf32>
                %1 = affine.load %arg1[%arg8, %arg7] : memref<?x?xf32>
                %2 = affine.load %arg2[%arg6, %arg7] : memref<?x?xf32>
                %3 = arith.mulf %0, %1 : f32
                %4 = arith.addf %2, %3 : f32
                affine.store %4, %arg2[%arg6, %arg7] : memref<?x?xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== matmul_after_fill | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @matmul_after_fill(%arg0: memref<8x6xf32>, %arg1: memref<6x10xf32>, %arg2: memref<8x10xf32>) {
    %c6 = arith.constant 6 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    scf.for %arg3 = %c0 to %c8 step %c1 {
      scf.for %arg4 = %c0 to %c10 step %c1 {
        memref.store %cst, %arg2[%arg3, %arg4] : memref<8x10xf32>
      }
    }
    scf.for %arg3 = %c0 to %c8 step %c1 {
      scf.for %arg4 = %c0 to %c10 step %c1 {
        scf.for %arg5 = %c0 to %c6 step %c1 {
          %0 = memref.load %arg0[%arg3, %arg5] : memref<8x6xf32>
          %1 = memref.load %arg1[%arg5, %arg4] : memref<6x10xf32>
          %2 = memref.load %arg2[%arg3, %arg4] : memref<8x10xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          memref.store %4, %arg2[%arg3, %arg4] : memref<8x10xf32>
        }
      }
    }
    return
  }
}
// ===== matmul_after_fill | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @matmul_after_fill(%arg0: memref<8x6xf32>, %arg1: memref<6x10xf32>, %arg2: memref<8x10xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg3 = 0 to 8 {
      affine.for %arg4 = 0 to 10 {
        affine.store %cst, %arg2[%arg3, %arg4] : memref<8x10xf32>
      }
    }
    affine.for %arg3 = 0 to 8 {
      affine.for %arg4 = 0 to 10 {
        affine.for %arg5 = 0 to 6 {
          %0 = affine.load %arg0[%arg3, %arg5] : memref<8x6xf32>
          %1 = affine.load %arg1[%arg5, %arg4] : memref<6x10xf32>
          %2 = affine.load %arg2[%arg3, %arg4] : memref<8x10xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg2[%arg3, %arg4] : memref<8x10xf32>
        }
      }
    }
    return
  }
}
// ===== matmul_after_fill | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @matmul_after_fill(%arg0: memref<8x6xf32>, %arg1: memref<6x10xf32>, %arg2: memref<8x10xf32>) {
    %c6 = arith.constant 6 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c8, %c10) step (%c1, %c1) {
      memref.store %cst, %arg2[%arg3, %arg4] : memref<8x10xf32>
      scf.reduce 
    }
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%c8, %c10) step (%c1, %c1) {
      scf.for %arg5 = %c0 to %c6 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg5] : memref<8x6xf32>
        %1 = memref.load %arg1[%arg5, %arg4] : memref<6x10xf32>
        %2 = memref.load %arg2[%arg3, %arg4] : memref<8x10xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %arg2[%arg3, %arg4] : memref<8x10xf32>
      }
      scf.reduce 
    }
    return
  }
}
// ===== matmul_after_fill | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @matmul_after_fill(%arg0: memref<8x6xf32>, %arg1: memref<6x10xf32>, %arg2: memref<8x10xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%cst : f32) outs(%arg2 : memref<8x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<8x6xf32>, memref<6x10xf32>) outs(%arg2 : memref<8x10xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== matmul_after_fill | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4)>
#map2 = affine_map<(d0) -> (d0 + 4, 10)>
#map3 = affine_map<(d0) -> (d0 + 4, 6)>
module {
  func.func @matmul_after_fill(%arg0: memref<8x6xf32>, %arg1: memref<6x10xf32>, %arg2: memref<8x10xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg3 = 0 to 8 step 4 {
      affine.for %arg4 = 0 to 10 step 4 {
        affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
          affine.for %arg6 = #map(%arg4) to min #map2(%arg4) {
            affine.store %cst, %arg2[%arg5, %arg6] : memref<8x10xf32>
          }
        }
      }
    }
    affine.for %arg3 = 0 to 8 step 4 {
      affine.for %arg4 = 0 to 10 step 4 {
        affine.for %arg5 = 0 to 6 step 4 {
          affine.for %arg6 = #map(%arg3) to #map1(%arg3) {
            affine.for %arg7 = #map(%arg4) to min #map2(%arg4) {
              affine.for %arg8 = #map(%arg5) to min #map3(%arg5) {
                %0 = affine.load %arg0[%arg6, %arg8] : memref<8x6xf32>
                %1 = affine.load %arg1[%arg8, %arg7] : memref<6x10xf32>
                %2 = affine.load %arg2[%arg6, %arg7] : memref<8x10xf32>
                %3 = arith.mulf %0, %1 : f32
                %4 = arith.addf %2, %3 : f32
                affine.store %4, %arg2[%arg6, %arg7] : memref<8x10xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== matmul_after_fill | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-fusion,affine-scalrep
module {
  func.func @matmul_after_fill(%arg0: memref<8x6xf32>, %arg1: memref<6x10xf32>, %arg2: memref<8x10xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg3 = 0 to 8 {
      affine.for %arg4 = 0 to 10 {
        affine.store %cst, %arg2[%arg3, %arg4] : memref<8x10xf32>
        affine.for %arg5 = 0 to 6 {
          %0 = affine.load %arg0[%arg3, %arg5] : memref<8x6xf32>
          %1 = affine.load %arg1[%arg5, %arg4] : memref<6x10xf32>
          %2 = affine.load %arg2[%arg3, %arg4] : memref<8x10xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg2[%arg3, %arg4] : memref<8x10xf32>
        }
      }
    }
    return
  }
}
// ===== batch_of_products | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @batch_of_products(%arg0: memref<?x5x7xf32>, %arg1: memref<?x7x4xf32>, %arg2: memref<?x5x4xf32>) {
    %c7 = arith.constant 7 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x5x7xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      scf.for %arg4 = %c0 to %c5 step %c1 {
        scf.for %arg5 = %c0 to %c4 step %c1 {
          scf.for %arg6 = %c0 to %c7 step %c1 {
            %0 = memref.load %arg0[%arg3, %arg4, %arg6] : memref<?x5x7xf32>
            %1 = memref.load %arg1[%arg3, %arg6, %arg5] : memref<?x7x4xf32>
            %2 = memref.load %arg2[%arg3, %arg4, %arg5] : memref<?x5x4xf32>
            %3 = arith.mulf %0, %1 : f32
            %4 = arith.addf %2, %3 : f32
            memref.store %4, %arg2[%arg3, %arg4, %arg5] : memref<?x5x4xf32>
          }
        }
      }
    }
    return
  }
}
// ===== batch_of_products | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @batch_of_products(%arg0: memref<?x5x7xf32>, %arg1: memref<?x7x4xf32>, %arg2: memref<?x5x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x5x7xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to 5 {
        affine.for %arg5 = 0 to 4 {
          affine.for %arg6 = 0 to 7 {
            %0 = affine.load %arg0[%arg3, %arg4, %arg6] : memref<?x5x7xf32>
            %1 = affine.load %arg1[%arg3, %arg6, %arg5] : memref<?x7x4xf32>
            %2 = affine.load %arg2[%arg3, %arg4, %arg5] : memref<?x5x4xf32>
            %3 = arith.mulf %0, %1 : f32
            %4 = arith.addf %2, %3 : f32
            affine.store %4, %arg2[%arg3, %arg4, %arg5] : memref<?x5x4xf32>
          }
        }
      }
    }
    return
  }
}
// ===== batch_of_products | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @batch_of_products(%arg0: memref<?x5x7xf32>, %arg1: memref<?x7x4xf32>, %arg2: memref<?x5x4xf32>) {
    %c7 = arith.constant 7 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x5x7xf32>
    scf.parallel (%arg3, %arg4, %arg5) = (%c0, %c0, %c0) to (%dim, %c5, %c4) step (%c1, %c1, %c1) {
      scf.for %arg6 = %c0 to %c7 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg4, %arg6] : memref<?x5x7xf32>
        %1 = memref.load %arg1[%arg3, %arg6, %arg5] : memref<?x7x4xf32>
        %2 = memref.load %arg2[%arg3, %arg4, %arg5] : memref<?x5x4xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %arg2[%arg3, %arg4, %arg5] : memref<?x5x4xf32>
      }
      scf.reduce 
    }
    return
  }
}
// ===== batch_of_products | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module {
  func.func @batch_of_products(%arg0: memref<?x5x7xf32>, %arg1: memref<?x7x4xf32>, %arg2: memref<?x5x4xf32>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : memref<?x5x7xf32>, memref<?x7x4xf32>) outs(%arg2 : memref<?x5x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== batch_of_products | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 4, 5)>
#map3 = affine_map<(d0) -> (d0 + 4)>
#map4 = affine_map<(d0) -> (d0 + 4, 7)>
module {
  func.func @batch_of_products(%arg0: memref<?x5x7xf32>, %arg1: memref<?x7x4xf32>, %arg2: memref<?x5x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x5x7xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = 0 to 5 step 4 {
        affine.for %arg5 = 0 to 4 step 4 {
          affine.for %arg6 = 0 to 7 step 4 {
            affine.for %arg7 = #map(%arg3) to min #map1(%arg3)[%dim] {
              affine.for %arg8 = #map(%arg4) to min #map2(%arg4) {
                affine.for %arg9 = #map(%arg5) to #map3(%arg5) {
                  affine.for %arg10 = #map(%arg6) to min #map4(%arg6) {
                    %0 = affine.load %arg0[%arg7, %arg8, %arg10] : memref<?x5x7xf32>
                    %1 = affine.load %arg1[%arg7, %arg10, %arg9] : memref<?x7x4xf32>
                    %2 = affine.load %arg2[%arg7, %arg8, %arg9] : memref<?x5x4xf32>
                    %3 = arith.mulf %0, %1 : f32
                    %4 = arith.addf %2, %3 : f32
                    affine.store %4, %arg2[%arg7, %arg8, %arg9] : memref<?x5x4xf32>
                  }
                }
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== matrix_times_vector | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @matrix_times_vector(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      scf.for %arg4 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %1 = memref.load %arg1[%arg4] : memref<?xf32>
        %2 = memref.load %arg2[%arg3] : memref<?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== matrix_times_vector | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @matrix_times_vector(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_0 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg4] : memref<?xf32>
        %2 = affine.load %arg2[%arg3] : memref<?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== matrix_times_vector | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @matrix_times_vector(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.parallel (%arg3) = (%c0) to (%dim) step (%c1) {
      scf.for %arg4 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %1 = memref.load %arg1[%arg4] : memref<?xf32>
        %2 = memref.load %arg2[%arg3] : memref<?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        memref.store %4, %arg2[%arg3] : memref<?xf32>
      }
      scf.reduce 
    }
    return
  }
}
// ===== matrix_times_vector | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @matrix_times_vector(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : memref<?x?xf32>, memref<?xf32>) outs(%arg2 : memref<?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== matrix_times_vector | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @matrix_times_vector(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = 0 to %dim_0 step 4 {
        affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim] {
          affine.for %arg6 = #map(%arg4) to min #map1(%arg4)[%dim_0] {
            %0 = affine.load %arg0[%arg5, %arg6] : memref<?x?xf32>
            %1 = affine.load %arg1[%arg6] : memref<?xf32>
            %2 = affine.load %arg2[%arg5] : memref<?xf32>
            %3 = arith.mulf %0, %1 : f32
            %4 = arith.addf %2, %3 : f32
            affine.store %4, %arg2[%arg5] : memref<?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== matrix_times_vector | iree-opt 24 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @matrix_times_vector(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : memref<?x?xf32>, memref<?xf32>) outs(%arg2 : memref<?xf32>) attrs =  {linalg.memoized_indexing_maps = [#map, #map1, #map2]} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== dot_of_two_vectors | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @dot_of_two_vectors(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<f32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      %0 = memref.load %arg0[%arg3] : memref<?xf32>
      %1 = memref.load %arg1[%arg3] : memref<?xf32>
      %2 = memref.load %arg2[] : memref<f32>
      %3 = arith.mulf %0, %1 : f32
      %4 = arith.addf %2, %3 : f32
      memref.store %4, %arg2[] : memref<f32>
    }
    return
  }
}
// ===== dot_of_two_vectors | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @dot_of_two_vectors(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<f32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to %dim {
      %0 = affine.load %arg0[%arg3] : memref<?xf32>
      %1 = affine.load %arg1[%arg3] : memref<?xf32>
      %2 = affine.load %arg2[] : memref<f32>
      %3 = arith.mulf %0, %1 : f32
      %4 = arith.addf %2, %3 : f32
      affine.store %4, %arg2[] : memref<f32>
    }
    return
  }
}
// ===== dot_of_two_vectors | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @dot_of_two_vectors(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<f32>) {
    linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["reduction"]} ins(%arg0, %arg1 : memref<?xf32>, memref<?xf32>) outs(%arg2 : memref<f32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== dot_of_two_vectors | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @dot_of_two_vectors(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<f32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = #map(%arg3) to min #map1(%arg3)[%dim] {
        %0 = affine.load %arg0[%arg4] : memref<?xf32>
        %1 = affine.load %arg1[%arg4] : memref<?xf32>
        %2 = affine.load %arg2[] : memref<f32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %arg2[] : memref<f32>
      }
    }
    return
  }
}
// ===== dot_of_two_vectors | iree-opt 24 | linalg-generalize-named-ops
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @dot_of_two_vectors(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<f32>) {
    linalg.generic {indexing_maps = [#map, #map, #map1], iterator_types = ["reduction"]} ins(%arg0, %arg1 : memref<?xf32>, memref<?xf32>) outs(%arg2 : memref<f32>) attrs =  {linalg.memoized_indexing_maps = [#map, #map, #map1]} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== convolution_of_one_dimension | mlir-opt 22 | convert-linalg-to-loops
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @convolution_of_one_dimension(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg2, %c0 : memref<?xf32>
    scf.for %arg3 = %c0 to %dim_0 step %c1 {
      scf.for %arg4 = %c0 to %dim step %c1 {
        %0 = affine.apply #map(%arg3, %arg4)
        %1 = memref.load %arg0[%0] : memref<?xf32>
        %2 = memref.load %arg1[%arg4] : memref<?xf32>
        %3 = memref.load %arg2[%arg3] : memref<?xf32>
        %4 = arith.mulf %1, %2 : f32
        %5 = arith.addf %3, %4 : f32
        memref.store %5, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== convolution_of_one_dimension | mlir-opt 22 | convert-linalg-to-affine-loops
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @convolution_of_one_dimension(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg2, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to %dim_0 {
      affine.for %arg4 = 0 to %dim {
        %0 = affine.apply #map(%arg3, %arg4)
        %1 = affine.load %arg0[%0] : memref<?xf32>
        %2 = affine.load %arg1[%arg4] : memref<?xf32>
        %3 = affine.load %arg2[%arg3] : memref<?xf32>
        %4 = arith.mulf %1, %2 : f32
        %5 = arith.addf %3, %4 : f32
        affine.store %5, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== convolution_of_one_dimension | mlir-opt 22 | convert-linalg-to-parallel-loops
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @convolution_of_one_dimension(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg2, %c0 : memref<?xf32>
    scf.parallel (%arg3) = (%c0) to (%dim_0) step (%c1) {
      scf.for %arg4 = %c0 to %dim step %c1 {
        %0 = affine.apply #map(%arg3, %arg4)
        %1 = memref.load %arg0[%0] : memref<?xf32>
        %2 = memref.load %arg1[%arg4] : memref<?xf32>
        %3 = memref.load %arg2[%arg3] : memref<?xf32>
        %4 = arith.mulf %1, %2 : f32
        %5 = arith.addf %3, %4 : f32
        memref.store %5, %arg2[%arg3] : memref<?xf32>
      }
      scf.reduce 
    }
    return
  }
}
// ===== convolution_of_one_dimension | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d0 + d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @convolution_of_one_dimension(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : memref<?xf32>, memref<?xf32>) outs(%arg2 : memref<?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== convolution_of_one_dimension | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @convolution_of_one_dimension(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg2, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to %dim_0 step 4 {
      affine.for %arg4 = 0 to %dim step 4 {
        affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim_0] {
          affine.for %arg6 = #map(%arg4) to min #map1(%arg4)[%dim] {
            %0 = affine.apply #map2(%arg5, %arg6)
            %1 = affine.load %arg0[%0] : memref<?xf32>
            %2 = affine.load %arg1[%arg6] : memref<?xf32>
            %3 = affine.load %arg2[%arg5] : memref<?xf32>
            %4 = arith.mulf %1, %2 : f32
            %5 = arith.addf %3, %4 : f32
            affine.store %5, %arg2[%arg5] : memref<?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== convolution_of_one_dimension | iree-opt 24 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d0 + d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @convolution_of_one_dimension(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg0, %arg1 : memref<?xf32>, memref<?xf32>) outs(%arg2 : memref<?xf32>) attrs =  {linalg.memoized_indexing_maps = [#map, #map1, #map2]} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== convolution_of_images | mlir-opt 22 | convert-linalg-to-loops
#map = affine_map<(d0, d1) -> (d0 * 2 + d1)>
module {
  func.func @convolution_of_images(%arg0: memref<?x9x9x3xf32>, %arg1: memref<3x3x3x4xf32>, %arg2: memref<?x4x4x4xf32>) {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x9x9x3xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      scf.for %arg4 = %c0 to %c4 step %c1 {
        scf.for %arg5 = %c0 to %c4 step %c1 {
          scf.for %arg6 = %c0 to %c4 step %c1 {
            scf.for %arg7 = %c0 to %c3 step %c1 {
              scf.for %arg8 = %c0 to %c3 step %c1 {
                scf.for %arg9 = %c0 to %c3 step %c1 {
                  %0 = affine.apply #map(%arg4, %arg7)
                  %1 = affine.apply #map(%arg5, %arg8)
                  %2 = memref.load %arg0[%arg3, %0, %1, %arg9] : memref<?x9x9x3xf32>
                  %3 = memref.load %arg1[%arg7, %arg8, %arg9, %arg6] : memref<3x3x3x4xf32>
                  %4 = memref.load %arg2[%arg3, %arg4, %arg5, %arg6] : memref<?x4x4x4xf32>
                  %5 = arith.mulf %2, %3 : f32
                  %6 = arith.addf %4, %5 : f32
                  memref.store %6, %arg2[%arg3, %arg4, %arg5, %arg6] : memref<?x4x4x4xf32>
                }
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== convolution_of_images | mlir-opt 22 | convert-linalg-to-affine-loops
#map = affine_map<(d0, d1) -> (d0 * 2 + d1)>
module {
  func.func @convolution_of_images(%arg0: memref<?x9x9x3xf32>, %arg1: memref<3x3x3x4xf32>, %arg2: memref<?x4x4x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x9x9x3xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to 4 {
        affine.for %arg5 = 0 to 4 {
          affine.for %arg6 = 0 to 4 {
            affine.for %arg7 = 0 to 3 {
              affine.for %arg8 = 0 to 3 {
                affine.for %arg9 = 0 to 3 {
                  %0 = affine.apply #map(%arg4, %arg7)
                  %1 = affine.apply #map(%arg5, %arg8)
                  %2 = affine.load %arg0[%arg3, %0, %1, %arg9] : memref<?x9x9x3xf32>
                  %3 = affine.load %arg1[%arg7, %arg8, %arg9, %arg6] : memref<3x3x3x4xf32>
                  %4 = affine.load %arg2[%arg3, %arg4, %arg5, %arg6] : memref<?x4x4x4xf32>
                  %5 = arith.mulf %2, %3 : f32
                  %6 = arith.addf %4, %5 : f32
                  affine.store %6, %arg2[%arg3, %arg4, %arg5, %arg6] : memref<?x4x4x4xf32>
                }
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== convolution_of_images | mlir-opt 22 | convert-linalg-to-parallel-loops
#map = affine_map<(d0, d1) -> (d0 * 2 + d1)>
module {
  func.func @convolution_of_images(%arg0: memref<?x9x9x3xf32>, %arg1: memref<3x3x3x4xf32>, %arg2: memref<?x4x4x4xf32>) {
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x9x9x3xf32>
    scf.parallel (%arg3, %arg4, %arg5, %arg6) = (%c0, %c0, %c0, %c0) to (%dim, %c4, %c4, %c4) step (%c1, %c1, %c1, %c1) {
      scf.for %arg7 = %c0 to %c3 step %c1 {
        scf.for %arg8 = %c0 to %c3 step %c1 {
          scf.for %arg9 = %c0 to %c3 step %c1 {
            %0 = affine.apply #map(%arg4, %arg7)
            %1 = affine.apply #map(%arg5, %arg8)
            %2 = memref.load %arg0[%arg3, %0, %1, %arg9] : memref<?x9x9x3xf32>
            %3 = memref.load %arg1[%arg7, %arg8, %arg9, %arg6] : memref<3x3x3x4xf32>
            %4 = memref.load %arg2[%arg3, %arg4, %arg5, %arg6] : memref<?x4x4x4xf32>
            %5 = arith.mulf %2, %3 : f32
            %6 = arith.addf %4, %5 : f32
            memref.store %6, %arg2[%arg3, %arg4, %arg5, %arg6] : memref<?x4x4x4xf32>
          }
        }
      }
      scf.reduce 
    }
    return
  }
}
// ===== convolution_of_images | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d6)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
module {
  func.func @convolution_of_images(%arg0: memref<?x9x9x3xf32>, %arg1: memref<3x3x3x4xf32>, %arg2: memref<?x4x4x4xf32>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : memref<?x9x9x3xf32>, memref<3x3x3x4xf32>) outs(%arg2 : memref<?x4x4x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== convolution_of_images | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 4)>
#map3 = affine_map<(d0) -> (d0 + 3)>
#map4 = affine_map<(d0, d1) -> (d0 * 2 + d1)>
module {
  func.func @convolution_of_images(%arg0: memref<?x9x9x3xf32>, %arg1: memref<3x3x3x4xf32>, %arg2: memref<?x4x4x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x9x9x3xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = 0 to 4 step 4 {
        affine.for %arg5 = 0 to 4 step 4 {
          affine.for %arg6 = 0 to 4 step 4 {
            affine.for %arg7 = 0 to 3 step 4 {
              affine.for %arg8 = 0 to 3 step 4 {
                affine.for %arg9 = 0 to 3 step 4 {
                  affine.for %arg10 = #map(%arg3) to min #map1(%arg3)[%dim] {
                    affine.for %arg11 = #map(%arg4) to #map2(%arg4) {
                      affine.for %arg12 = #map(%arg5) to #map2(%arg5) {
                        affine.for %arg13 = #map(%arg6) to #map2(%arg6) {
                          affine.for %arg14 = #map(%arg7) to #map3(%arg7) {
                            affine.for %arg15 = #map(%arg8) to #map3(%arg8) {
                              affine.for %arg16 = #map(%arg9) to #map3(%arg9) {
                                %0 = affine.apply #map4(%arg11, %arg14)
                                %1 = affine.apply #map4(%arg12, %arg15)
                                %2 = affine.load %arg0[%arg10, %0, %1, %arg16] : memref<?x9x9x3xf32>
                                %3 = affine.load %arg1[%arg14, %arg15, %arg16, %arg13] : memref<3x3x3x4xf32>
                                %4 = affine.load %arg2[%arg10, %arg11, %arg12, %arg13] : memref<?x4x4x4xf32>
                                %5 = arith.mulf %2, %3 : f32
                                %6 = arith.addf %4, %5 : f32
                                affine.store %6, %arg2[%arg10, %arg11, %arg12, %arg13] : memref<?x4x4x4xf32>
                              }
                            }
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== convolution_of_images | iree-opt 24 | linalg-generalize-named-ops
#map = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d6)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>
module {
  func.func @convolution_of_images(%arg0: memref<?x9x9x3xf32>, %arg1: memref<3x3x3x4xf32>, %arg2: memref<?x4x4x4xf32>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%arg0, %arg1 : memref<?x9x9x3xf32>, memref<3x3x3x4xf32>) outs(%arg2 : memref<?x4x4x4xf32>) attrs =  {linalg.memoized_indexing_maps = [#map, #map1, #map2]} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== depthwise_convolution | mlir-opt 22 | convert-linalg-to-loops
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @depthwise_convolution(%arg0: memref<1x8x8x4xf32>, %arg1: memref<3x3x4xf32>, %arg2: memref<1x6x6x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c4 = arith.constant 4 : index
    %c3 = arith.constant 3 : index
    scf.for %arg3 = %c0 to %c1 step %c1 {
      scf.for %arg4 = %c0 to %c6 step %c1 {
        scf.for %arg5 = %c0 to %c6 step %c1 {
          scf.for %arg6 = %c0 to %c4 step %c1 {
            scf.for %arg7 = %c0 to %c3 step %c1 {
              scf.for %arg8 = %c0 to %c3 step %c1 {
                %0 = affine.apply #map(%arg4, %arg7)
                %1 = affine.apply #map(%arg5, %arg8)
                %2 = memref.load %arg0[%arg3, %0, %1, %arg6] : memref<1x8x8x4xf32>
                %3 = memref.load %arg1[%arg7, %arg8, %arg6] : memref<3x3x4xf32>
                %4 = memref.load %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x6x6x4xf32>
                %5 = arith.mulf %2, %3 : f32
                %6 = arith.addf %4, %5 : f32
                memref.store %6, %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x6x6x4xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== depthwise_convolution | mlir-opt 22 | convert-linalg-to-affine-loops
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @depthwise_convolution(%arg0: memref<1x8x8x4xf32>, %arg1: memref<3x3x4xf32>, %arg2: memref<1x6x6x4xf32>) {
    affine.for %arg3 = 0 to 1 {
      affine.for %arg4 = 0 to 6 {
        affine.for %arg5 = 0 to 6 {
          affine.for %arg6 = 0 to 4 {
            affine.for %arg7 = 0 to 3 {
              affine.for %arg8 = 0 to 3 {
                %0 = affine.apply #map(%arg4, %arg7)
                %1 = affine.apply #map(%arg5, %arg8)
                %2 = affine.load %arg0[%arg3, %0, %1, %arg6] : memref<1x8x8x4xf32>
                %3 = affine.load %arg1[%arg7, %arg8, %arg6] : memref<3x3x4xf32>
                %4 = affine.load %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x6x6x4xf32>
                %5 = arith.mulf %2, %3 : f32
                %6 = arith.addf %4, %5 : f32
                affine.store %6, %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x6x6x4xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== depthwise_convolution | mlir-opt 22 | convert-linalg-to-parallel-loops
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @depthwise_convolution(%arg0: memref<1x8x8x4xf32>, %arg1: memref<3x3x4xf32>, %arg2: memref<1x6x6x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c4 = arith.constant 4 : index
    %c3 = arith.constant 3 : index
    scf.parallel (%arg3, %arg4, %arg5, %arg6) = (%c0, %c0, %c0, %c0) to (%c1, %c6, %c6, %c4) step (%c1, %c1, %c1, %c1) {
      scf.for %arg7 = %c0 to %c3 step %c1 {
        scf.for %arg8 = %c0 to %c3 step %c1 {
          %0 = affine.apply #map(%arg4, %arg7)
          %1 = affine.apply #map(%arg5, %arg8)
          %2 = memref.load %arg0[%arg3, %0, %1, %arg6] : memref<1x8x8x4xf32>
          %3 = memref.load %arg1[%arg7, %arg8, %arg6] : memref<3x3x4xf32>
          %4 = memref.load %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x6x6x4xf32>
          %5 = arith.mulf %2, %3 : f32
          %6 = arith.addf %4, %5 : f32
          memref.store %6, %arg2[%arg3, %arg4, %arg5, %arg6] : memref<1x6x6x4xf32>
        }
      }
      scf.reduce 
    }
    return
  }
}
// ===== depthwise_convolution | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
module {
  func.func @depthwise_convolution(%arg0: memref<1x8x8x4xf32>, %arg1: memref<3x3x4xf32>, %arg2: memref<1x6x6x4xf32>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : memref<1x8x8x4xf32>, memref<3x3x4xf32>) outs(%arg2 : memref<1x6x6x4xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== depthwise_convolution | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 4, 6)>
#map3 = affine_map<(d0) -> (d0 + 4)>
#map4 = affine_map<(d0) -> (d0 + 3)>
#map5 = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @depthwise_convolution(%arg0: memref<1x8x8x4xf32>, %arg1: memref<3x3x4xf32>, %arg2: memref<1x6x6x4xf32>) {
    affine.for %arg3 = 0 to 1 step 4 {
      affine.for %arg4 = 0 to 6 step 4 {
        affine.for %arg5 = 0 to 6 step 4 {
          affine.for %arg6 = 0 to 4 step 4 {
            affine.for %arg7 = 0 to 3 step 4 {
              affine.for %arg8 = 0 to 3 step 4 {
                affine.for %arg9 = #map(%arg3) to #map1(%arg3) {
                  affine.for %arg10 = #map(%arg4) to min #map2(%arg4) {
                    affine.for %arg11 = #map(%arg5) to min #map2(%arg5) {
                      affine.for %arg12 = #map(%arg6) to #map3(%arg6) {
                        affine.for %arg13 = #map(%arg7) to #map4(%arg7) {
                          affine.for %arg14 = #map(%arg8) to #map4(%arg8) {
                            %0 = affine.apply #map5(%arg10, %arg13)
                            %1 = affine.apply #map5(%arg11, %arg14)
                            %2 = affine.load %arg0[%arg9, %0, %1, %arg12] : memref<1x8x8x4xf32>
                            %3 = affine.load %arg1[%arg13, %arg14, %arg12] : memref<3x3x4xf32>
                            %4 = affine.load %arg2[%arg9, %arg10, %arg11, %arg12] : memref<1x6x6x4xf32>
                            %5 = arith.mulf %2, %3 : f32
                            %6 = arith.addf %4, %5 : f32
                            affine.store %6, %arg2[%arg9, %arg10, %arg11, %arg12] : memref<1x6x6x4xf32>
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== depthwise_convolution | mlir-opt 22 | linalg-generalize-named-ops,convert-linalg-to-loops,canonicalize
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @depthwise_convolution(%arg0: memref<1x8x8x4xf32>, %arg1: memref<3x3x4xf32>, %arg2: memref<1x6x6x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c4 = arith.constant 4 : index
    %c3 = arith.constant 3 : index
    scf.for %arg3 = %c0 to %c6 step %c1 {
      scf.for %arg4 = %c0 to %c6 step %c1 {
        scf.for %arg5 = %c0 to %c4 step %c1 {
          scf.for %arg6 = %c0 to %c3 step %c1 {
            scf.for %arg7 = %c0 to %c3 step %c1 {
              %0 = affine.apply #map(%arg3, %arg6)
              %1 = affine.apply #map(%arg4, %arg7)
              %2 = memref.load %arg0[%c0, %0, %1, %arg5] : memref<1x8x8x4xf32>
              %3 = memref.load %arg1[%arg6, %arg7, %arg5] : memref<3x3x4xf32>
              %4 = memref.load %arg2[%c0, %arg3, %arg4, %arg5] : memref<1x6x6x4xf32>
              %5 = arith.mulf %2, %3 : f32
              %6 = arith.addf %4, %5 : f32
              memref.store %6, %arg2[%c0, %arg3, %arg4, %arg5] : memref<1x6x6x4xf32>
            }
          }
        }
      }
    }
    return
  }
}
// ===== depthwise_convolution | iree-opt 24 | linalg-generalize-named-ops
#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d4, d2 + d5, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
module {
  func.func @depthwise_convolution(%arg0: memref<1x8x8x4xf32>, %arg1: memref<3x3x4xf32>, %arg2: memref<1x6x6x4xf32>) {
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %arg1 : memref<1x8x8x4xf32>, memref<3x3x4xf32>) outs(%arg2 : memref<1x6x6x4xf32>) attrs =  {linalg.memoized_indexing_maps = [#map, #map1, #map2]} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.mulf %in, %in_0 : f32
      %1 = arith.addf %out, %0 : f32
      linalg.yield %1 : f32
    }
    return
  }
}
// ===== pooling_by_sums | mlir-opt 22 | convert-linalg-to-loops
#map = affine_map<(d0, d1) -> (d0 * 2 + d1)>
module {
  func.func @pooling_by_sums(%arg0: memref<?x8x8x2xf32>, %arg1: memref<?x4x4x2xf32>) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x8x8x2xf32>
    scf.for %arg2 = %c0 to %dim step %c1 {
      scf.for %arg3 = %c0 to %c4 step %c1 {
        scf.for %arg4 = %c0 to %c4 step %c1 {
          scf.for %arg5 = %c0 to %c2 step %c1 {
            scf.for %arg6 = %c0 to %c2 step %c1 {
              scf.for %arg7 = %c0 to %c2 step %c1 {
                %0 = affine.apply #map(%arg3, %arg6)
                %1 = affine.apply #map(%arg4, %arg7)
                %2 = memref.load %arg0[%arg2, %0, %1, %arg5] : memref<?x8x8x2xf32>
                %3 = memref.load %arg1[%arg2, %arg3, %arg4, %arg5] : memref<?x4x4x2xf32>
                %4 = arith.addf %3, %2 : f32
                memref.store %4, %arg1[%arg2, %arg3, %arg4, %arg5] : memref<?x4x4x2xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== pooling_by_sums | mlir-opt 22 | convert-linalg-to-affine-loops
#map = affine_map<(d0, d1) -> (d0 * 2 + d1)>
module {
  func.func @pooling_by_sums(%arg0: memref<?x8x8x2xf32>, %arg1: memref<?x4x4x2xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x8x8x2xf32>
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to 4 {
        affine.for %arg4 = 0 to 4 {
          affine.for %arg5 = 0 to 2 {
            affine.for %arg6 = 0 to 2 {
              affine.for %arg7 = 0 to 2 {
                %0 = affine.apply #map(%arg3, %arg6)
                %1 = affine.apply #map(%arg4, %arg7)
                %2 = affine.load %arg0[%arg2, %0, %1, %arg5] : memref<?x8x8x2xf32>
                %3 = affine.load %arg1[%arg2, %arg3, %arg4, %arg5] : memref<?x4x4x2xf32>
                %4 = arith.addf %3, %2 : f32
                affine.store %4, %arg1[%arg2, %arg3, %arg4, %arg5] : memref<?x4x4x2xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== pooling_by_sums | mlir-opt 22 | convert-linalg-to-parallel-loops
#map = affine_map<(d0, d1) -> (d0 * 2 + d1)>
module {
  func.func @pooling_by_sums(%arg0: memref<?x8x8x2xf32>, %arg1: memref<?x4x4x2xf32>) {
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x8x8x2xf32>
    scf.parallel (%arg2, %arg3, %arg4, %arg5) = (%c0, %c0, %c0, %c0) to (%dim, %c4, %c4, %c2) step (%c1, %c1, %c1, %c1) {
      scf.for %arg6 = %c0 to %c2 step %c1 {
        scf.for %arg7 = %c0 to %c2 step %c1 {
          %0 = affine.apply #map(%arg3, %arg6)
          %1 = affine.apply #map(%arg4, %arg7)
          %2 = memref.load %arg0[%arg2, %0, %1, %arg5] : memref<?x8x8x2xf32>
          %3 = memref.load %arg1[%arg2, %arg3, %arg4, %arg5] : memref<?x4x4x2xf32>
          %4 = arith.addf %3, %2 : f32
          memref.store %4, %arg1[%arg2, %arg3, %arg4, %arg5] : memref<?x4x4x2xf32>
        }
      }
      scf.reduce 
    }
    return
  }
}
// ===== pooling_by_sums | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
module {
  func.func @pooling_by_sums(%arg0: memref<?x8x8x2xf32>, %arg1: memref<?x4x4x2xf32>) {
    %alloc = memref.alloc() : memref<2x2xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %alloc : memref<?x8x8x2xf32>, memref<2x2xf32>) outs(%arg1 : memref<?x4x4x2xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.addf %out, %in : f32
      linalg.yield %0 : f32
    }
    return
  }
}
// ===== pooling_by_sums | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 4)>
#map3 = affine_map<(d0) -> (d0 + 2)>
#map4 = affine_map<(d0, d1) -> (d0 * 2 + d1)>
module {
  func.func @pooling_by_sums(%arg0: memref<?x8x8x2xf32>, %arg1: memref<?x4x4x2xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x8x8x2xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to 4 step 4 {
        affine.for %arg4 = 0 to 4 step 4 {
          affine.for %arg5 = 0 to 2 step 4 {
            affine.for %arg6 = 0 to 2 step 4 {
              affine.for %arg7 = 0 to 2 step 4 {
                affine.for %arg8 = #map(%arg2) to min #map1(%arg2)[%dim] {
                  affine.for %arg9 = #map(%arg3) to #map2(%arg3) {
                    affine.for %arg10 = #map(%arg4) to #map2(%arg4) {
                      affine.for %arg11 = #map(%arg5) to #map3(%arg5) {
                        affine.for %arg12 = #map(%arg6) to #map3(%arg6) {
                          affine.for %arg13 = #map(%arg7) to #map3(%arg7) {
                            %0 = affine.apply #map4(%arg9, %arg12)
                            %1 = affine.apply #map4(%arg10, %arg13)
                            %2 = affine.load %arg0[%arg8, %0, %1, %arg11] : memref<?x8x8x2xf32>
                            %3 = affine.load %arg1[%arg8, %arg9, %arg10, %arg11] : memref<?x4x4x2xf32>
                            %4 = arith.addf %3, %2 : f32
                            affine.store %4, %arg1[%arg8, %arg9, %arg10, %arg11] : memref<?x4x4x2xf32>
                          }
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== pooling_by_sums | iree-opt 24 | linalg-generalize-named-ops
#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 * 2 + d4, d2 * 2 + d5, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d4, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
module {
  func.func @pooling_by_sums(%arg0: memref<?x8x8x2xf32>, %arg1: memref<?x4x4x2xf32>) {
    %alloc = memref.alloc() : memref<2x2xf32>
    linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%arg0, %alloc : memref<?x8x8x2xf32>, memref<2x2xf32>) outs(%arg1 : memref<?x4x4x2xf32>) attrs =  {linalg.memoized_indexing_maps = [#map, #map1, #map2]} {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.addf %out, %in : f32
      linalg.yield %0 : f32
    }
    return
  }
}
// ===== pointwise_sum | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @pointwise_sum(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      scf.for %arg4 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %1 = memref.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        %2 = arith.addf %0, %1 : f32
        memref.store %2, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== pointwise_sum | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @pointwise_sum(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_0 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== pointwise_sum | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @pointwise_sum(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.parallel (%arg3, %arg4) = (%c0, %c0) to (%dim, %dim_0) step (%c1, %c1) {
      %0 = memref.load %arg0[%arg3, %arg4] : memref<?x?xf32>
      %1 = memref.load %arg1[%arg3, %arg4] : memref<?x?xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %arg2[%arg3, %arg4] : memref<?x?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== pointwise_sum | mlir-opt 22 | linalg-specialize-generic-ops
module {
  func.func @pointwise_sum(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    linalg.add ins(%arg0, %arg1 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg2 : memref<?x?xf32>)
    return
  }
}
// ===== pointwise_sum | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @pointwise_sum(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = 0 to %dim_0 step 4 {
        affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim] {
          affine.for %arg6 = #map(%arg4) to min #map1(%arg4)[%dim_0] {
            %0 = affine.load %arg0[%arg5, %arg6] : memref<?x?xf32>
            %1 = affine.load %arg1[%arg5, %arg6] : memref<?x?xf32>
            %2 = arith.addf %0, %1 : f32
            affine.store %2, %arg2[%arg5, %arg6] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== pointwise_sum | iree-opt 24 | linalg-specialize-generic-ops
module {
  func.func @pointwise_sum(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    linalg.elementwise <add> ins(%arg0, %arg1 : memref<?x?xf32>, memref<?x?xf32>) outs(%arg2 : memref<?x?xf32>)
    return
  }
}
// ===== transposed_copy | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @transposed_copy(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg2 = %c0 to %dim_0 step %c1 {
      scf.for %arg3 = %c0 to %dim step %c1 {
        %0 = memref.load %arg0[%arg3, %arg2] : memref<?x?xf32>
        memref.store %0, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== transposed_copy | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @transposed_copy(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim_0 {
      affine.for %arg3 = 0 to %dim {
        %0 = affine.load %arg0[%arg3, %arg2] : memref<?x?xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== transposed_copy | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @transposed_copy(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.parallel (%arg2, %arg3) = (%c0, %c0) to (%dim_0, %dim) step (%c1, %c1) {
      %0 = memref.load %arg0[%arg3, %arg2] : memref<?x?xf32>
      memref.store %0, %arg1[%arg2, %arg3] : memref<?x?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== transposed_copy | mlir-opt 22 | linalg-specialize-generic-ops
module {
  func.func @transposed_copy(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    linalg.transpose ins(%arg0 : memref<?x?xf32>) outs(%arg1 : memref<?x?xf32>) permutation = [1, 0] 
    return
  }
}
// ===== transposed_copy | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @transposed_copy(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim_0 step 4 {
      affine.for %arg3 = 0 to %dim step 4 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim_0] {
          affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim] {
            %0 = affine.load %arg0[%arg5, %arg4] : memref<?x?xf32>
            affine.store %0, %arg1[%arg4, %arg5] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== row_sums | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @row_sums(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg2 = %c0 to %dim step %c1 {
      scf.for %arg3 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = memref.load %arg1[%arg2] : memref<?xf32>
        %2 = arith.addf %1, %0 : f32
        memref.store %2, %arg1[%arg2] : memref<?xf32>
      }
    }
    return
  }
}
// ===== row_sums | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @row_sums(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to %dim_0 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg2] : memref<?xf32>
        %2 = arith.addf %1, %0 : f32
        affine.store %2, %arg1[%arg2] : memref<?xf32>
      }
    }
    return
  }
}
// ===== row_sums | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @row_sums(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.parallel (%arg2) = (%c0) to (%dim) step (%c1) {
      scf.for %arg3 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = memref.load %arg1[%arg2] : memref<?xf32>
        %2 = arith.addf %1, %0 : f32
        memref.store %2, %arg1[%arg2] : memref<?xf32>
      }
      scf.reduce 
    }
    return
  }
}
// ===== row_sums | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @row_sums(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to %dim_0 step 4 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim_0] {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x?xf32>
            %1 = affine.load %arg1[%arg4] : memref<?xf32>
            %2 = arith.addf %1, %0 : f32
            affine.store %2, %arg1[%arg4] : memref<?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== index_in_the_body | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @index_in_the_body(%arg0: memref<?x12xi32>) {
    %c12 = arith.constant 12 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x12xi32>
    scf.for %arg1 = %c0 to %dim step %c1 {
      scf.for %arg2 = %c0 to %c12 step %c1 {
        %0 = memref.load %arg0[%arg1, %arg2] : memref<?x12xi32>
        %1 = arith.muli %arg1, %arg2 : index
        %2 = arith.index_cast %1 : index to i32
        %3 = arith.addi %0, %2 : i32
        memref.store %3, %arg0[%arg1, %arg2] : memref<?x12xi32>
      }
    }
    return
  }
}
// ===== index_in_the_body | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @index_in_the_body(%arg0: memref<?x12xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x12xi32>
    affine.for %arg1 = 0 to %dim {
      affine.for %arg2 = 0 to 12 {
        %0 = affine.load %arg0[%arg1, %arg2] : memref<?x12xi32>
        %1 = arith.muli %arg1, %arg2 : index
        %2 = arith.index_cast %1 : index to i32
        %3 = arith.addi %0, %2 : i32
        affine.store %3, %arg0[%arg1, %arg2] : memref<?x12xi32>
      }
    }
    return
  }
}
// ===== index_in_the_body | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @index_in_the_body(%arg0: memref<?x12xi32>) {
    %c12 = arith.constant 12 : index
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x12xi32>
    scf.parallel (%arg1, %arg2) = (%c0, %c0) to (%dim, %c12) step (%c1, %c1) {
      %0 = memref.load %arg0[%arg1, %arg2] : memref<?x12xi32>
      %1 = arith.muli %arg1, %arg2 : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.addi %0, %2 : i32
      memref.store %3, %arg0[%arg1, %arg2] : memref<?x12xi32>
      scf.reduce 
    }
    return
  }
}
// ===== index_in_the_body | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @index_in_the_body(%arg0: memref<?x12xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x12xi32>
    affine.for %arg1 = 0 to %dim step 4 {
      affine.for %arg2 = 0 to 12 step 4 {
        affine.for %arg3 = #map(%arg1) to min #map1(%arg1)[%dim] {
          affine.for %arg4 = #map(%arg2) to #map2(%arg2) {
            %0 = affine.load %arg0[%arg3, %arg4] : memref<?x12xi32>
            %1 = arith.muli %arg3, %arg4 : index
            %2 = arith.index_cast %1 : index to i32
            %3 = arith.addi %0, %2 : i32
            affine.store %3, %arg0[%arg3, %arg4] : memref<?x12xi32>
          }
        }
      }
    }
    return
  }
}
// ===== broadcast_of_a_row | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @broadcast_of_a_row(%arg0: memref<?xf32>, %arg1: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg1, %c0 : memref<?x?xf32>
    scf.for %arg2 = %c0 to %dim_0 step %c1 {
      scf.for %arg3 = %c0 to %dim step %c1 {
        %0 = memref.load %arg0[%arg3] : memref<?xf32>
        memref.store %0, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== broadcast_of_a_row | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @broadcast_of_a_row(%arg0: memref<?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg1, %c0 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim_0 {
      affine.for %arg3 = 0 to %dim {
        %0 = affine.load %arg0[%arg3] : memref<?xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== broadcast_of_a_row | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @broadcast_of_a_row(%arg0: memref<?xf32>, %arg1: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg1, %c0 : memref<?x?xf32>
    scf.parallel (%arg2, %arg3) = (%c0, %c0) to (%dim_0, %dim) step (%c1, %c1) {
      %0 = memref.load %arg0[%arg3] : memref<?xf32>
      memref.store %0, %arg1[%arg2, %arg3] : memref<?x?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== broadcast_of_a_row | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d1)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @broadcast_of_a_row(%arg0: memref<?xf32>, %arg1: memref<?x?xf32>) {
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<?xf32>) outs(%arg1 : memref<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}
// ===== broadcast_of_a_row | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @broadcast_of_a_row(%arg0: memref<?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg1, %c0 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim_0 step 4 {
      affine.for %arg3 = 0 to %dim step 4 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim_0] {
          affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim] {
            %0 = affine.load %arg0[%arg5] : memref<?xf32>
            affine.store %0, %arg1[%arg4, %arg5] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== transpose_of_three_dimensions | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @transpose_of_three_dimensions(%arg0: memref<?x4x6xf32>, %arg1: memref<6x?x4xf32>) {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4x6xf32>
    scf.for %arg2 = %c0 to %c6 step %c1 {
      scf.for %arg3 = %c0 to %dim step %c1 {
        scf.for %arg4 = %c0 to %c4 step %c1 {
          %0 = memref.load %arg0[%arg3, %arg4, %arg2] : memref<?x4x6xf32>
          memref.store %0, %arg1[%arg2, %arg3, %arg4] : memref<6x?x4xf32>
        }
      }
    }
    return
  }
}
// ===== transpose_of_three_dimensions | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @transpose_of_three_dimensions(%arg0: memref<?x4x6xf32>, %arg1: memref<6x?x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4x6xf32>
    affine.for %arg2 = 0 to 6 {
      affine.for %arg3 = 0 to %dim {
        affine.for %arg4 = 0 to 4 {
          %0 = affine.load %arg0[%arg3, %arg4, %arg2] : memref<?x4x6xf32>
          affine.store %0, %arg1[%arg2, %arg3, %arg4] : memref<6x?x4xf32>
        }
      }
    }
    return
  }
}
// ===== transpose_of_three_dimensions | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @transpose_of_three_dimensions(%arg0: memref<?x4x6xf32>, %arg1: memref<6x?x4xf32>) {
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4x6xf32>
    scf.parallel (%arg2, %arg3, %arg4) = (%c0, %c0, %c0) to (%c6, %dim, %c4) step (%c1, %c1, %c1) {
      %0 = memref.load %arg0[%arg3, %arg4, %arg2] : memref<?x4x6xf32>
      memref.store %0, %arg1[%arg2, %arg3, %arg4] : memref<6x?x4xf32>
      scf.reduce 
    }
    return
  }
}
// ===== transpose_of_three_dimensions | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
module {
  func.func @transpose_of_three_dimensions(%arg0: memref<?x4x6xf32>, %arg1: memref<6x?x4xf32>) {
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : memref<?x4x6xf32>) outs(%arg1 : memref<6x?x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}
// ===== transpose_of_three_dimensions | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4, 6)>
#map2 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map3 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @transpose_of_three_dimensions(%arg0: memref<?x4x6xf32>, %arg1: memref<6x?x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x4x6xf32>
    affine.for %arg2 = 0 to 6 step 4 {
      affine.for %arg3 = 0 to %dim step 4 {
        affine.for %arg4 = 0 to 4 step 4 {
          affine.for %arg5 = #map(%arg2) to min #map1(%arg2) {
            affine.for %arg6 = #map(%arg3) to min #map2(%arg3)[%dim] {
              affine.for %arg7 = #map(%arg4) to #map3(%arg4) {
                %0 = affine.load %arg0[%arg6, %arg7, %arg5] : memref<?x4x6xf32>
                affine.store %0, %arg1[%arg5, %arg6, %arg7] : memref<6x?x4xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== copy_then_add | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @copy_then_add(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      %0 = memref.load %arg0[%arg3] : memref<?xf32>
      memref.store %0, %arg1[%arg3] : memref<?xf32>
    }
    %dim_0 = memref.dim %arg1, %c0 : memref<?xf32>
    scf.for %arg3 = %c0 to %dim_0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = memref.load %arg0[%arg3] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== copy_then_add | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @copy_then_add(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to %dim {
      %0 = affine.load %arg0[%arg3] : memref<?xf32>
      affine.store %0, %arg1[%arg3] : memref<?xf32>
    }
    %dim_0 = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to %dim_0 {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      %1 = affine.load %arg0[%arg3] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== copy_then_add | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @copy_then_add(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    scf.parallel (%arg3) = (%c0) to (%dim) step (%c1) {
      %0 = memref.load %arg0[%arg3] : memref<?xf32>
      memref.store %0, %arg1[%arg3] : memref<?xf32>
      scf.reduce 
    }
    %dim_0 = memref.dim %arg1, %c0 : memref<?xf32>
    scf.parallel (%arg3) = (%c0) to (%dim_0) step (%c1) {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = memref.load %arg0[%arg3] : memref<?xf32>
      %2 = arith.addf %0, %1 : f32
      memref.store %2, %arg2[%arg3] : memref<?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== copy_then_add | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0) -> (d0)>
module {
  func.func @copy_then_add(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : memref<?xf32>) outs(%arg1 : memref<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg1, %arg0 : memref<?xf32>, memref<?xf32>) outs(%arg2 : memref<?xf32>) {
    ^bb0(%in: f32, %in_0: f32, %out: f32):
      %0 = arith.addf %in, %in_0 : f32
      linalg.yield %0 : f32
    }
    return
  }
}
// ===== copy_then_add | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @copy_then_add(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = #map(%arg3) to min #map1(%arg3)[%dim] {
        %0 = affine.load %arg0[%arg4] : memref<?xf32>
        affine.store %0, %arg1[%arg4] : memref<?xf32>
      }
    }
    %dim_0 = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to %dim_0 step 4 {
      affine.for %arg4 = #map(%arg3) to min #map1(%arg3)[%dim_0] {
        %0 = affine.load %arg1[%arg4] : memref<?xf32>
        %1 = affine.load %arg0[%arg4] : memref<?xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %arg2[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== map_of_absolute_values | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @map_of_absolute_values(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg2 = %c0 to %dim step %c1 {
      scf.for %arg3 = %c0 to %dim_0 step %c1 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = math.absf %0 : f32
        memref.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== map_of_absolute_values | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @map_of_absolute_values(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to %dim_0 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = math.absf %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== map_of_absolute_values | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @map_of_absolute_values(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.parallel (%arg2, %arg3) = (%c0, %c0) to (%dim, %dim_0) step (%c1, %c1) {
      %0 = memref.load %arg0[%arg2, %arg3] : memref<?x?xf32>
      %1 = math.absf %0 : f32
      memref.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== map_of_absolute_values | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @map_of_absolute_values(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : memref<?x?xf32>) outs(%arg1 : memref<?x?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.absf %in : f32
      linalg.yield %0 : f32
    }
    return
  }
}
// ===== map_of_absolute_values | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @map_of_absolute_values(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to %dim_0 step 4 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim_0] {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x?xf32>
            %1 = math.absf %0 : f32
            affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== reduce_to_the_largest | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @reduce_to_the_largest(%arg0: memref<7x?xf32>, %arg1: memref<?xf32>) {
    %c7 = arith.constant 7 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c1 : memref<7x?xf32>
    scf.for %arg2 = %c0 to %c7 step %c1 {
      scf.for %arg3 = %c0 to %dim step %c1 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<7x?xf32>
        %1 = memref.load %arg1[%arg3] : memref<?xf32>
        %2 = arith.maximumf %0, %1 : f32
        memref.store %2, %arg1[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== reduce_to_the_largest | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @reduce_to_the_largest(%arg0: memref<7x?xf32>, %arg1: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c1 : memref<7x?xf32>
    affine.for %arg2 = 0 to 7 {
      affine.for %arg3 = 0 to %dim {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<7x?xf32>
        %1 = affine.load %arg1[%arg3] : memref<?xf32>
        %2 = arith.maximumf %0, %1 : f32
        affine.store %2, %arg1[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== reduce_to_the_largest | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @reduce_to_the_largest(%arg0: memref<7x?xf32>, %arg1: memref<?xf32>) {
    %c7 = arith.constant 7 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c1 : memref<7x?xf32>
    scf.for %arg2 = %c0 to %c7 step %c1 {
      scf.parallel (%arg3) = (%c0) to (%dim) step (%c1) {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<7x?xf32>
        %1 = memref.load %arg1[%arg3] : memref<?xf32>
        %2 = arith.maximumf %0, %1 : f32
        memref.store %2, %arg1[%arg3] : memref<?xf32>
        scf.reduce 
      }
    }
    return
  }
}
// ===== reduce_to_the_largest | mlir-opt 22 | linalg-generalize-named-ops
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @reduce_to_the_largest(%arg0: memref<7x?xf32>, %arg1: memref<?xf32>) {
    linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : memref<7x?xf32>) outs(%arg1 : memref<?xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    }
    return
  }
}
// ===== reduce_to_the_largest | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4, 7)>
#map2 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @reduce_to_the_largest(%arg0: memref<7x?xf32>, %arg1: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c1 : memref<7x?xf32>
    affine.for %arg2 = 0 to 7 step 4 {
      affine.for %arg3 = 0 to %dim step 4 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2) {
          affine.for %arg5 = #map(%arg3) to min #map2(%arg3)[%dim] {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<7x?xf32>
            %1 = affine.load %arg1[%arg5] : memref<?xf32>
            %2 = arith.maximumf %0, %1 : f32
            affine.store %2, %arg1[%arg5] : memref<?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== scalar_operand | mlir-opt 22 | convert-linalg-to-loops
module {
  func.func @scalar_operand(%arg0: f32, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    scf.for %arg3 = %c0 to %dim step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %arg0 : f32
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== scalar_operand | mlir-opt 22 | convert-linalg-to-affine-loops
module {
  func.func @scalar_operand(%arg0: f32, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to %dim {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %arg0 : f32
      affine.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== scalar_operand | mlir-opt 22 | convert-linalg-to-parallel-loops
module {
  func.func @scalar_operand(%arg0: f32, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    scf.parallel (%arg3) = (%c0) to (%dim) step (%c1) {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.mulf %0, %arg0 : f32
      memref.store %1, %arg2[%arg3] : memref<?xf32>
      scf.reduce 
    }
    return
  }
}
// ===== scalar_operand | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @scalar_operand(%arg0: f32, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = #map(%arg3) to min #map1(%arg3)[%dim] {
        %0 = affine.load %arg1[%arg4] : memref<?xf32>
        %1 = arith.mulf %0, %arg0 : f32
        affine.store %1, %arg2[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== scalar_operand | iree-opt 24 | linalg-specialize-generic-ops
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @scalar_operand(%arg0: f32, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    linalg.elementwise <mul> indexing_maps = [#map, #map1, #map] ins(%arg1, %arg0 : memref<?xf32>, f32) outs(%arg2 : memref<?xf32>)
    return
  }
}
// ===== window_of_three | mlir-opt 22 | convert-linalg-to-loops
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @window_of_three(%arg0: memref<34xi32>, %arg1: memref<3xi32>, %arg2: memref<32xi32>) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.for %arg3 = %c0 to %c32 step %c1 {
      scf.for %arg4 = %c0 to %c3 step %c1 {
        %0 = affine.apply #map(%arg3, %arg4)
        %1 = memref.load %arg0[%0] : memref<34xi32>
        %2 = memref.load %arg1[%arg4] : memref<3xi32>
        %3 = memref.load %arg2[%arg3] : memref<32xi32>
        %4 = arith.muli %1, %2 : i32
        %5 = arith.addi %3, %4 : i32
        memref.store %5, %arg2[%arg3] : memref<32xi32>
      }
    }
    return
  }
}
// ===== window_of_three | mlir-opt 22 | convert-linalg-to-affine-loops
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @window_of_three(%arg0: memref<34xi32>, %arg1: memref<3xi32>, %arg2: memref<32xi32>) {
    affine.for %arg3 = 0 to 32 {
      affine.for %arg4 = 0 to 3 {
        %0 = affine.apply #map(%arg3, %arg4)
        %1 = affine.load %arg0[%0] : memref<34xi32>
        %2 = affine.load %arg1[%arg4] : memref<3xi32>
        %3 = affine.load %arg2[%arg3] : memref<32xi32>
        %4 = arith.muli %1, %2 : i32
        %5 = arith.addi %3, %4 : i32
        affine.store %5, %arg2[%arg3] : memref<32xi32>
      }
    }
    return
  }
}
// ===== window_of_three | mlir-opt 22 | convert-linalg-to-parallel-loops
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @window_of_three(%arg0: memref<34xi32>, %arg1: memref<3xi32>, %arg2: memref<32xi32>) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    scf.parallel (%arg3) = (%c0) to (%c32) step (%c1) {
      scf.for %arg4 = %c0 to %c3 step %c1 {
        %0 = affine.apply #map(%arg3, %arg4)
        %1 = memref.load %arg0[%0] : memref<34xi32>
        %2 = memref.load %arg1[%arg4] : memref<3xi32>
        %3 = memref.load %arg2[%arg3] : memref<32xi32>
        %4 = arith.muli %1, %2 : i32
        %5 = arith.addi %3, %4 : i32
        memref.store %5, %arg2[%arg3] : memref<32xi32>
      }
      scf.reduce 
    }
    return
  }
}
// ===== window_of_three | mlir-opt 22 | linalg-specialize-generic-ops
module {
  func.func @window_of_three(%arg0: memref<34xi32>, %arg1: memref<3xi32>, %arg2: memref<32xi32>) {
    linalg.conv_1d ins(%arg0, %arg1 : memref<34xi32>, memref<3xi32>) outs(%arg2 : memref<32xi32>)
    return
  }
}
// ===== window_of_three | mlir-opt 22 | convert-linalg-to-affine-loops,affine-loop-tile{tile-size=4}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4)>
#map2 = affine_map<(d0) -> (d0 + 3)>
#map3 = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @window_of_three(%arg0: memref<34xi32>, %arg1: memref<3xi32>, %arg2: memref<32xi32>) {
    affine.for %arg3 = 0 to 32 step 4 {
      affine.for %arg4 = 0 to 3 step 4 {
        affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
          affine.for %arg6 = #map(%arg4) to #map2(%arg4) {
            %0 = affine.apply #map3(%arg5, %arg6)
            %1 = affine.load %arg0[%0] : memref<34xi32>
            %2 = affine.load %arg1[%arg6] : memref<3xi32>
            %3 = affine.load %arg2[%arg5] : memref<32xi32>
            %4 = arith.muli %1, %2 : i32
            %5 = arith.addi %3, %4 : i32
            affine.store %5, %arg2[%arg5] : memref<32xi32>
          }
        }
      }
    }
    return
  }
}
