// ===== rows_and_columns | mlir-opt 22 | affine-loop-tile{tile-size=8}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
module {
  func.func @rows_and_columns(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim step 8 {
      affine.for %arg3 = 0 to %dim_0 step 8 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim_0] {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x?xf32>
            %1 = arith.negf %0 : f32
            affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== rows_and_columns | mlir-opt 22 | affine-loop-tile{tile-sizes=4,8,3}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
module {
  func.func @rows_and_columns(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to %dim_0 step 8 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map2(%arg3)[%dim_0] {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x?xf32>
            %1 = arith.negf %0 : f32
            affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== rows_and_columns | mlir-opt 22 | affine-loop-tile{tile-size=5 separate}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 5)>
#map2 = affine_map<(d0)[s0] -> (d0 + 5, s0)>
#set = affine_set<(d0, d1)[s0, s1] : (-d0 + s0 - 5 >= 0, -d1 + s1 - 5 >= 0)>
module {
  func.func @rows_and_columns(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim step 5 {
      affine.for %arg3 = 0 to %dim_0 step 5 {
        affine.if #set(%arg2, %arg3)[%dim, %dim_0] {
          affine.for %arg4 = #map(%arg2) to #map1(%arg2) {
            affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
              %0 = affine.load %arg0[%arg4, %arg5] : memref<?x?xf32>
              %1 = arith.negf %0 : f32
              affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
            }
          }
        } else {
          affine.for %arg4 = #map(%arg2) to min #map2(%arg2)[%dim] {
            affine.for %arg5 = #map(%arg3) to min #map2(%arg3)[%dim_0] {
              %0 = affine.load %arg0[%arg4, %arg5] : memref<?x?xf32>
              %1 = arith.negf %0 : f32
              affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
            }
          }
        }
      }
    }
    return
  }
}
// ===== rows_and_columns | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
#map = affine_map<()[s0] -> (s0 ceildiv 4)>
#map1 = affine_map<(d0)[s0] -> (4, d0 * -4 + s0)>
#map2 = affine_map<(d0, d1) -> (d0 + d1 * 4)>
module {
  func.func @rows_and_columns(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to #map()[%dim] {
      affine.for %arg3 = 0 to #map()[%dim_0] {
        affine.for %arg4 = 0 to min #map1(%arg2)[%dim] {
          %0 = affine.apply #map2(%arg4, %arg2)
          affine.for %arg5 = 0 to min #map1(%arg3)[%dim_0] {
            %1 = affine.apply #map2(%arg5, %arg3)
            %2 = affine.load %arg0[%0, %1] : memref<?x?xf32>
            %3 = arith.negf %2 : f32
            affine.store %3, %arg1[%0, %1] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== rows_and_columns | mlir-opt 22 | affine-loop-tile{tile-size=4},canonicalize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @rows_and_columns(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to %dim_0 step 4 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim_0] {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x?xf32>
            %1 = arith.negf %0 : f32
            affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== product_of_open_sizes | mlir-opt 22 | affine-loop-tile{tile-size=8}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
module {
  func.func @product_of_open_sizes(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?x?xf64>, %arg4: memref<?x?xf64>, %arg5: memref<?x?xf64>) {
    affine.for %arg6 = 0 to %arg0 step 8 {
      affine.for %arg7 = 0 to %arg1 step 8 {
        affine.for %arg8 = 0 to %arg2 step 8 {
          affine.for %arg9 = #map(%arg6) to min #map1(%arg6)[%arg0] {
            affine.for %arg10 = #map(%arg7) to min #map1(%arg7)[%arg1] {
              affine.for %arg11 = #map(%arg8) to min #map1(%arg8)[%arg2] {
                %0 = affine.load %arg3[%arg9, %arg11] : memref<?x?xf64>
                %1 = affine.load %arg4[%arg11, %arg10] : memref<?x?xf64>
                %2 = affine.load %arg5[%arg9, %arg10] : memref<?x?xf64>
                %3 = arith.mulf %0, %1 : f64
                %4 = arith.addf %2, %3 : f64
                affine.store %4, %arg5[%arg9, %arg10] : memref<?x?xf64>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== product_of_open_sizes | mlir-opt 22 | affine-loop-tile{tile-sizes=4,8,3}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
#map3 = affine_map<(d0)[s0] -> (d0 + 3, s0)>
module {
  func.func @product_of_open_sizes(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?x?xf64>, %arg4: memref<?x?xf64>, %arg5: memref<?x?xf64>) {
    affine.for %arg6 = 0 to %arg0 step 4 {
      affine.for %arg7 = 0 to %arg1 step 8 {
        affine.for %arg8 = 0 to %arg2 step 3 {
          affine.for %arg9 = #map(%arg6) to min #map1(%arg6)[%arg0] {
            affine.for %arg10 = #map(%arg7) to min #map2(%arg7)[%arg1] {
              affine.for %arg11 = #map(%arg8) to min #map3(%arg8)[%arg2] {
                %0 = affine.load %arg3[%arg9, %arg11] : memref<?x?xf64>
                %1 = affine.load %arg4[%arg11, %arg10] : memref<?x?xf64>
                %2 = affine.load %arg5[%arg9, %arg10] : memref<?x?xf64>
                %3 = arith.mulf %0, %1 : f64
                %4 = arith.addf %2, %3 : f64
                affine.store %4, %arg5[%arg9, %arg10] : memref<?x?xf64>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== product_of_open_sizes | mlir-opt 22 | affine-loop-tile{tile-size=5 separate}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 5)>
#map2 = affine_map<(d0)[s0] -> (d0 + 5, s0)>
#set = affine_set<(d0, d1, d2)[s0, s1, s2] : (-d0 + s0 - 5 >= 0, -d1 + s1 - 5 >= 0, -d2 + s2 - 5 >= 0)>
module {
  func.func @product_of_open_sizes(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?x?xf64>, %arg4: memref<?x?xf64>, %arg5: memref<?x?xf64>) {
    affine.for %arg6 = 0 to %arg0 step 5 {
      affine.for %arg7 = 0 to %arg1 step 5 {
        affine.for %arg8 = 0 to %arg2 step 5 {
          affine.if #set(%arg6, %arg7, %arg8)[%arg0, %arg1, %arg2] {
            affine.for %arg9 = #map(%arg6) to #map1(%arg6) {
              affine.for %arg10 = #map(%arg7) to #map1(%arg7) {
                affine.for %arg11 = #map(%arg8) to #map1(%arg8) {
                  %0 = affine.load %arg3[%arg9, %arg11] : memref<?x?xf64>
                  %1 = affine.load %arg4[%arg11, %arg10] : memref<?x?xf64>
                  %2 = affine.load %arg5[%arg9, %arg10] : memref<?x?xf64>
                  %3 = arith.mulf %0, %1 : f64
                  %4 = arith.addf %2, %3 : f64
                  affine.store %4, %arg5[%arg9, %arg10] : memref<?x?xf64>
                }
              }
            }
          } else {
            affine.for %arg9 = #map(%arg6) to min #map2(%arg6)[%arg0] {
              affine.for %arg10 = #map(%arg7) to min #map2(%arg7)[%arg1] {
                affine.for %arg11 = #map(%arg8) to min #map2(%arg8)[%arg2] {
                  %0 = affine.load %arg3[%arg9, %arg11] : memref<?x?xf64>
                  %1 = affine.load %arg4[%arg11, %arg10] : memref<?x?xf64>
                  %2 = affine.load %arg5[%arg9, %arg10] : memref<?x?xf64>
                  %3 = arith.mulf %0, %1 : f64
                  %4 = arith.addf %2, %3 : f64
                  affine.store %4, %arg5[%arg9, %arg10] : memref<?x?xf64>
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
// ===== product_of_open_sizes | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
#map = affine_map<()[s0] -> (s0 ceildiv 4)>
#map1 = affine_map<(d0)[s0] -> (4, d0 * -4 + s0)>
#map2 = affine_map<(d0, d1) -> (d0 + d1 * 4)>
module {
  func.func @product_of_open_sizes(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?x?xf64>, %arg4: memref<?x?xf64>, %arg5: memref<?x?xf64>) {
    affine.for %arg6 = 0 to #map()[%arg0] {
      affine.for %arg7 = 0 to #map()[%arg1] {
        affine.for %arg8 = 0 to #map()[%arg2] {
          affine.for %arg9 = 0 to min #map1(%arg6)[%arg0] {
            %0 = affine.apply #map2(%arg9, %arg6)
            affine.for %arg10 = 0 to min #map1(%arg7)[%arg1] {
              %1 = affine.apply #map2(%arg10, %arg7)
              affine.for %arg11 = 0 to min #map1(%arg8)[%arg2] {
                %2 = affine.apply #map2(%arg11, %arg8)
                %3 = affine.load %arg3[%0, %2] : memref<?x?xf64>
                %4 = affine.load %arg4[%2, %1] : memref<?x?xf64>
                %5 = affine.load %arg5[%0, %1] : memref<?x?xf64>
                %6 = arith.mulf %3, %4 : f64
                %7 = arith.addf %5, %6 : f64
                affine.store %7, %arg5[%0, %1] : memref<?x?xf64>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== product_of_open_sizes | mlir-opt 22 | affine-loop-tile{tile-size=4},canonicalize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @product_of_open_sizes(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<?x?xf64>, %arg4: memref<?x?xf64>, %arg5: memref<?x?xf64>) {
    affine.for %arg6 = 0 to %arg0 step 4 {
      affine.for %arg7 = 0 to %arg1 step 4 {
        affine.for %arg8 = 0 to %arg2 step 4 {
          affine.for %arg9 = #map(%arg6) to min #map1(%arg6)[%arg0] {
            affine.for %arg10 = #map(%arg7) to min #map1(%arg7)[%arg1] {
              affine.for %arg11 = #map(%arg8) to min #map1(%arg8)[%arg2] {
                %0 = affine.load %arg3[%arg9, %arg11] : memref<?x?xf64>
                %1 = affine.load %arg4[%arg11, %arg10] : memref<?x?xf64>
                %2 = affine.load %arg5[%arg9, %arg10] : memref<?x?xf64>
                %3 = arith.mulf %0, %1 : f64
                %4 = arith.addf %2, %3 : f64
                affine.store %4, %arg5[%arg9, %arg10] : memref<?x?xf64>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== product_of_fixed_sizes | mlir-opt 22 | affine-loop-tile{tile-size=8}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 8, 12)>
#map2 = affine_map<(d0) -> (d0 + 8, 10)>
#map3 = affine_map<(d0) -> (d0 + 8, 9)>
module {
  func.func @product_of_fixed_sizes(%arg0: memref<12x9xf32>, %arg1: memref<9x10xf32>, %arg2: memref<12x10xf32>) {
    affine.for %arg3 = 0 to 12 step 8 {
      affine.for %arg4 = 0 to 10 step 8 {
        affine.for %arg5 = 0 to 9 step 8 {
          affine.for %arg6 = #map(%arg3) to min #map1(%arg3) {
            affine.for %arg7 = #map(%arg4) to min #map2(%arg4) {
              affine.for %arg8 = #map(%arg5) to min #map3(%arg5) {
                %0 = affine.load %arg0[%arg6, %arg8] : memref<12x9xf32>
                %1 = affine.load %arg1[%arg8, %arg7] : memref<9x10xf32>
                %2 = affine.load %arg2[%arg6, %arg7] : memref<12x10xf32>
                %3 = arith.mulf %0, %1 : f32
                %4 = arith.addf %2, %3 : f32
                affine.store %4, %arg2[%arg6, %arg7] : memref<12x10xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== product_of_fixed_sizes | mlir-opt 22 | affine-loop-tile{tile-sizes=4,8,3}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4)>
#map2 = affine_map<(d0) -> (d0 + 8, 10)>
#map3 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @product_of_fixed_sizes(%arg0: memref<12x9xf32>, %arg1: memref<9x10xf32>, %arg2: memref<12x10xf32>) {
    affine.for %arg3 = 0 to 12 step 4 {
      affine.for %arg4 = 0 to 10 step 8 {
        affine.for %arg5 = 0 to 9 step 3 {
          affine.for %arg6 = #map(%arg3) to #map1(%arg3) {
            affine.for %arg7 = #map(%arg4) to min #map2(%arg4) {
              affine.for %arg8 = #map(%arg5) to #map3(%arg5) {
                %0 = affine.load %arg0[%arg6, %arg8] : memref<12x9xf32>
                %1 = affine.load %arg1[%arg8, %arg7] : memref<9x10xf32>
                %2 = affine.load %arg2[%arg6, %arg7] : memref<12x10xf32>
                %3 = arith.mulf %0, %1 : f32
                %4 = arith.addf %2, %3 : f32
                affine.store %4, %arg2[%arg6, %arg7] : memref<12x10xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== product_of_fixed_sizes | mlir-opt 22 | affine-loop-tile{tile-size=5 separate}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 5)>
#map2 = affine_map<(d0) -> (d0 + 5, 12)>
#map3 = affine_map<(d0) -> (d0 + 5, 9)>
#set = affine_set<(d0, d1) : (-d0 + 7 >= 0, -d1 + 4 >= 0)>
module {
  func.func @product_of_fixed_sizes(%arg0: memref<12x9xf32>, %arg1: memref<9x10xf32>, %arg2: memref<12x10xf32>) {
    affine.for %arg3 = 0 to 12 step 5 {
      affine.for %arg4 = 0 to 10 step 5 {
        affine.for %arg5 = 0 to 9 step 5 {
          affine.if #set(%arg3, %arg5) {
            affine.for %arg6 = #map(%arg3) to #map1(%arg3) {
              affine.for %arg7 = #map(%arg4) to #map1(%arg4) {
                affine.for %arg8 = #map(%arg5) to #map1(%arg5) {
                  %0 = affine.load %arg0[%arg6, %arg8] : memref<12x9xf32>
                  %1 = affine.load %arg1[%arg8, %arg7] : memref<9x10xf32>
                  %2 = affine.load %arg2[%arg6, %arg7] : memref<12x10xf32>
                  %3 = arith.mulf %0, %1 : f32
                  %4 = arith.addf %2, %3 : f32
                  affine.store %4, %arg2[%arg6, %arg7] : memref<12x10xf32>
                }
              }
            }
          } else {
            affine.for %arg6 = #map(%arg3) to min #map2(%arg3) {
              affine.for %arg7 = #map(%arg4) to #map1(%arg4) {
                affine.for %arg8 = #map(%arg5) to min #map3(%arg5) {
                  %0 = affine.load %arg0[%arg6, %arg8] : memref<12x9xf32>
                  %1 = affine.load %arg1[%arg8, %arg7] : memref<9x10xf32>
                  %2 = affine.load %arg2[%arg6, %arg7] : memref<12x10xf32>
                  %3 = arith.mulf %0, %1 : f32
                  %4 = arith.addf %2, %3 : f32
                  affine.store %4, %arg2[%arg6, %arg7] : memref<12x10xf32>
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
// ===== product_of_fixed_sizes | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
#map = affine_map<(d0, d1) -> (d0 + d1 * 4)>
#map1 = affine_map<(d0) -> (4, d0 * -4 + 10)>
#map2 = affine_map<(d0) -> (4, d0 * -4 + 9)>
module {
  func.func @product_of_fixed_sizes(%arg0: memref<12x9xf32>, %arg1: memref<9x10xf32>, %arg2: memref<12x10xf32>) {
    affine.for %arg3 = 0 to 3 {
      affine.for %arg4 = 0 to 3 {
        affine.for %arg5 = 0 to 3 {
          affine.for %arg6 = 0 to 4 {
            %0 = affine.apply #map(%arg6, %arg3)
            affine.for %arg7 = 0 to min #map1(%arg4) {
              %1 = affine.apply #map(%arg7, %arg4)
              affine.for %arg8 = 0 to min #map2(%arg5) {
                %2 = affine.apply #map(%arg8, %arg5)
                %3 = affine.load %arg0[%0, %2] : memref<12x9xf32>
                %4 = affine.load %arg1[%2, %1] : memref<9x10xf32>
                %5 = affine.load %arg2[%0, %1] : memref<12x10xf32>
                %6 = arith.mulf %3, %4 : f32
                %7 = arith.addf %5, %6 : f32
                affine.store %7, %arg2[%0, %1] : memref<12x10xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== product_of_fixed_sizes | mlir-opt 22 | affine-loop-tile{tile-size=4},canonicalize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4)>
#map2 = affine_map<(d0) -> (d0 + 4, 10)>
#map3 = affine_map<(d0) -> (d0 + 4, 9)>
module {
  func.func @product_of_fixed_sizes(%arg0: memref<12x9xf32>, %arg1: memref<9x10xf32>, %arg2: memref<12x10xf32>) {
    affine.for %arg3 = 0 to 12 step 4 {
      affine.for %arg4 = 0 to 10 step 4 {
        affine.for %arg5 = 0 to 9 step 4 {
          affine.for %arg6 = #map(%arg3) to #map1(%arg3) {
            affine.for %arg7 = #map(%arg4) to min #map2(%arg4) {
              affine.for %arg8 = #map(%arg5) to min #map3(%arg5) {
                %0 = affine.load %arg0[%arg6, %arg8] : memref<12x9xf32>
                %1 = affine.load %arg1[%arg8, %arg7] : memref<9x10xf32>
                %2 = affine.load %arg2[%arg6, %arg7] : memref<12x10xf32>
                %3 = arith.mulf %0, %1 : f32
                %4 = arith.addf %2, %3 : f32
                affine.store %4, %arg2[%arg6, %arg7] : memref<12x10xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== one_loop_with_two_upper_bounds | mlir-opt 22 | affine-loop-tile{tile-size=8}
#map = affine_map<()[s0, s1] -> (s0, s1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0)[s0, s1] -> (d0 + 8, s0, s1)>
module {
  func.func @one_loop_with_two_upper_bounds(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to min #map()[%dim, %dim_0] step 8 {
      affine.for %arg3 = #map1(%arg2) to min #map2(%arg2)[%dim, %dim_0] {
        %0 = affine.load %arg0[%arg3] : memref<?xf32>
        %1 = arith.addf %0, %0 : f32
        affine.store %1, %arg1[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== one_loop_with_two_upper_bounds | mlir-opt 22 | affine-loop-tile{tile-sizes=4,8,3}
#map = affine_map<()[s0, s1] -> (s0, s1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0)[s0, s1] -> (d0 + 4, s0, s1)>
module {
  func.func @one_loop_with_two_upper_bounds(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to min #map()[%dim, %dim_0] step 4 {
      affine.for %arg3 = #map1(%arg2) to min #map2(%arg2)[%dim, %dim_0] {
        %0 = affine.load %arg0[%arg3] : memref<?xf32>
        %1 = arith.addf %0, %0 : f32
        affine.store %1, %arg1[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== one_loop_with_two_upper_bounds | mlir-opt 22 | affine-loop-tile{tile-size=5 separate}
#map = affine_map<()[s0, s1] -> (s0, s1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0) -> (d0 + 5)>
#map3 = affine_map<(d0)[s0, s1] -> (d0 + 5, s0, s1)>
#set = affine_set<(d0)[s0, s1] : (-d0 + s0 - 5 >= 0, -d0 + s1 - 5 >= 0)>
module {
  func.func @one_loop_with_two_upper_bounds(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to min #map()[%dim, %dim_0] step 5 {
      affine.if #set(%arg2)[%dim, %dim_0] {
        affine.for %arg3 = #map1(%arg2) to #map2(%arg2) {
          %0 = affine.load %arg0[%arg3] : memref<?xf32>
          %1 = arith.addf %0, %0 : f32
          affine.store %1, %arg1[%arg3] : memref<?xf32>
        }
      } else {
        affine.for %arg3 = #map1(%arg2) to min #map3(%arg2)[%dim, %dim_0] {
          %0 = affine.load %arg0[%arg3] : memref<?xf32>
          %1 = arith.addf %0, %0 : f32
          affine.store %1, %arg1[%arg3] : memref<?xf32>
        }
      }
    }
    return
  }
}
// ===== one_loop_with_two_upper_bounds | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
#map = affine_map<()[s0, s1] -> (s0 ceildiv 4, s1 ceildiv 4)>
#map1 = affine_map<(d0)[s0, s1] -> (4, d0 * -4 + s0, d0 * -4 + s1)>
#map2 = affine_map<(d0, d1) -> (d0 + d1 * 4)>
module {
  func.func @one_loop_with_two_upper_bounds(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %dim_0 = memref.dim %arg1, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to min #map()[%dim, %dim_0] {
      affine.for %arg3 = 0 to min #map1(%arg2)[%dim, %dim_0] {
        %0 = affine.apply #map2(%arg3, %arg2)
        %1 = affine.load %arg0[%0] : memref<?xf32>
        %2 = arith.addf %1, %1 : f32
        affine.store %2, %arg1[%0] : memref<?xf32>
      }
    }
    return
  }
}
// ===== lower_bound_of_three | mlir-opt 22 | affine-loop-tile{tile-size=8}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
module {
  func.func @lower_bound_of_three(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    affine.for %arg3 = 3 to %arg0 step 8 {
      affine.for %arg4 = #map(%arg3) to min #map1(%arg3)[%arg0] {
        %0 = affine.load %arg1[%arg4 - 3] : memref<?xi32>
        %1 = affine.load %arg2[%arg4] : memref<?xi32>
        %2 = arith.muli %0, %1 : i32
        affine.store %2, %arg2[%arg4] : memref<?xi32>
      }
    }
    return
  }
}
// ===== lower_bound_of_three | mlir-opt 22 | affine-loop-tile{tile-sizes=4,8,3}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
module {
  func.func @lower_bound_of_three(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    affine.for %arg3 = 3 to %arg0 step 4 {
      affine.for %arg4 = #map(%arg3) to min #map1(%arg3)[%arg0] {
        %0 = affine.load %arg1[%arg4 - 3] : memref<?xi32>
        %1 = affine.load %arg2[%arg4] : memref<?xi32>
        %2 = arith.muli %0, %1 : i32
        affine.store %2, %arg2[%arg4] : memref<?xi32>
      }
    }
    return
  }
}
// ===== lower_bound_of_three | mlir-opt 22 | affine-loop-tile{tile-size=5 separate}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 5)>
#map2 = affine_map<(d0)[s0] -> (d0 + 5, s0)>
#set = affine_set<(d0)[s0] : (-d0 + s0 - 5 >= 0)>
module {
  func.func @lower_bound_of_three(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    affine.for %arg3 = 3 to %arg0 step 5 {
      affine.if #set(%arg3)[%arg0] {
        affine.for %arg4 = #map(%arg3) to #map1(%arg3) {
          %0 = affine.load %arg1[%arg4 - 3] : memref<?xi32>
          %1 = affine.load %arg2[%arg4] : memref<?xi32>
          %2 = arith.muli %0, %1 : i32
          affine.store %2, %arg2[%arg4] : memref<?xi32>
        }
      } else {
        affine.for %arg4 = #map(%arg3) to min #map2(%arg3)[%arg0] {
          %0 = affine.load %arg1[%arg4 - 3] : memref<?xi32>
          %1 = affine.load %arg2[%arg4] : memref<?xi32>
          %2 = arith.muli %0, %1 : i32
          affine.store %2, %arg2[%arg4] : memref<?xi32>
        }
      }
    }
    return
  }
}
// ===== lower_bound_of_three | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
#map = affine_map<()[s0] -> ((s0 - 3) ceildiv 4)>
#map1 = affine_map<(d0)[s0] -> (4, d0 * -4 + s0 - 3)>
#map2 = affine_map<(d0, d1) -> (d0 + d1 * 4 + 3)>
module {
  func.func @lower_bound_of_three(%arg0: index, %arg1: memref<?xi32>, %arg2: memref<?xi32>) {
    affine.for %arg3 = 0 to #map()[%arg0] {
      affine.for %arg4 = 0 to min #map1(%arg3)[%arg0] {
        %0 = affine.apply #map2(%arg4, %arg3)
        %1 = affine.load %arg1[%0 - 3] : memref<?xi32>
        %2 = affine.load %arg2[%0] : memref<?xi32>
        %3 = arith.muli %1, %2 : i32
        affine.store %3, %arg2[%0] : memref<?xi32>
      }
    }
    return
  }
}
// ===== step_of_two | mlir-opt 22 | affine-loop-tile{tile-size=8}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
#map2 = affine_map<(d0) -> (d0 + 16, 50)>
module {
  func.func @step_of_two(%arg0: memref<?x50xf32>, %arg1: memref<?x50xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x50xf32>
    affine.for %arg2 = 0 to %dim step 8 {
      affine.for %arg3 = 0 to 50 step 16 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map2(%arg3) step 2 {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x50xf32>
            affine.store %0, %arg1[%arg4, %arg5 + 1] : memref<?x50xf32>
          }
        }
      }
    }
    return
  }
}
// ===== step_of_two | mlir-opt 22 | affine-loop-tile{tile-sizes=4,8,3}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 16, 50)>
module {
  func.func @step_of_two(%arg0: memref<?x50xf32>, %arg1: memref<?x50xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x50xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to 50 step 16 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map2(%arg3) step 2 {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x50xf32>
            affine.store %0, %arg1[%arg4, %arg5 + 1] : memref<?x50xf32>
          }
        }
      }
    }
    return
  }
}
// ===== step_of_two | mlir-opt 22 | affine-loop-tile{tile-size=5 separate}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 5, s0)>
#map2 = affine_map<(d0) -> (d0 + 10)>
module {
  func.func @step_of_two(%arg0: memref<?x50xf32>, %arg1: memref<?x50xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x50xf32>
    affine.for %arg2 = 0 to %dim step 5 {
      affine.for %arg3 = 0 to 50 step 10 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to #map2(%arg3) step 2 {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x50xf32>
            affine.store %0, %arg1[%arg4, %arg5 + 1] : memref<?x50xf32>
          }
        }
      }
    }
    return
  }
}
// ===== step_of_two | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
#map = affine_map<()[s0] -> (s0 ceildiv 4)>
#map1 = affine_map<(d0)[s0] -> (4, d0 * -4 + s0)>
#map2 = affine_map<(d0, d1) -> (d0 + d1 * 4)>
#map3 = affine_map<(d0) -> (4, d0 * -4 + 25)>
#map4 = affine_map<(d0, d1) -> (d0 * 2 + d1 * 8)>
module {
  func.func @step_of_two(%arg0: memref<?x50xf32>, %arg1: memref<?x50xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x50xf32>
    affine.for %arg2 = 0 to #map()[%dim] {
      affine.for %arg3 = 0 to 7 {
        affine.for %arg4 = 0 to min #map1(%arg2)[%dim] {
          %0 = affine.apply #map2(%arg4, %arg2)
          affine.for %arg5 = 0 to min #map3(%arg3) {
            %1 = affine.apply #map4(%arg5, %arg3)
            %2 = affine.load %arg0[%0, %1] : memref<?x50xf32>
            affine.store %2, %arg1[%0, %1 + 1] : memref<?x50xf32>
          }
        }
      }
    }
    return
  }
}
// ===== step_of_two | mlir-opt 22 | affine-loop-tile{tile-size=4},canonicalize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 8, 50)>
module {
  func.func @step_of_two(%arg0: memref<?x50xf32>, %arg1: memref<?x50xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x50xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to 50 step 8 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map2(%arg3) step 2 {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x50xf32>
            affine.store %0, %arg1[%arg4, %arg5 + 1] : memref<?x50xf32>
          }
        }
      }
    }
    return
  }
}
// ===== anti_dependence_to_the_right | mlir-opt 22 | affine-loop-tile{tile-size=8}
#map = affine_map<()[s0] -> (s0 - 1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
#map3 = affine_map<(d0)[s0] -> (d0 + 8, s0 - 1)>
module {
  func.func @anti_dependence_to_the_right(%arg0: index, %arg1: memref<?x?xf32>) {
    affine.for %arg2 = 0 to %arg0 step 8 {
      affine.for %arg3 = 0 to #map()[%arg0] step 8 {
        affine.for %arg4 = #map1(%arg2) to min #map2(%arg2)[%arg0] {
          affine.for %arg5 = #map1(%arg3) to min #map3(%arg3)[%arg0] {
            %0 = affine.load %arg1[%arg4, %arg5 + 1] : memref<?x?xf32>
            %1 = arith.negf %0 : f32
            affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== anti_dependence_to_the_right | mlir-opt 22 | affine-loop-tile{tile-sizes=4,8,3}
#map = affine_map<()[s0] -> (s0 - 1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map3 = affine_map<(d0)[s0] -> (d0 + 8, s0 - 1)>
module {
  func.func @anti_dependence_to_the_right(%arg0: index, %arg1: memref<?x?xf32>) {
    affine.for %arg2 = 0 to %arg0 step 4 {
      affine.for %arg3 = 0 to #map()[%arg0] step 8 {
        affine.for %arg4 = #map1(%arg2) to min #map2(%arg2)[%arg0] {
          affine.for %arg5 = #map1(%arg3) to min #map3(%arg3)[%arg0] {
            %0 = affine.load %arg1[%arg4, %arg5 + 1] : memref<?x?xf32>
            %1 = arith.negf %0 : f32
            affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== anti_dependence_to_the_right | mlir-opt 22 | affine-loop-tile{tile-size=5 separate}
#map = affine_map<()[s0] -> (s0 - 1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0) -> (d0 + 5)>
#map3 = affine_map<(d0)[s0] -> (d0 + 5, s0)>
#map4 = affine_map<(d0)[s0] -> (d0 + 5, s0 - 1)>
#set = affine_set<(d0, d1)[s0] : (-d0 + s0 - 5 >= 0, -d1 + s0 - 6 >= 0)>
module {
  func.func @anti_dependence_to_the_right(%arg0: index, %arg1: memref<?x?xf32>) {
    affine.for %arg2 = 0 to %arg0 step 5 {
      affine.for %arg3 = 0 to #map()[%arg0] step 5 {
        affine.if #set(%arg2, %arg3)[%arg0] {
          affine.for %arg4 = #map1(%arg2) to #map2(%arg2) {
            affine.for %arg5 = #map1(%arg3) to #map2(%arg3) {
              %0 = affine.load %arg1[%arg4, %arg5 + 1] : memref<?x?xf32>
              %1 = arith.negf %0 : f32
              affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
            }
          }
        } else {
          affine.for %arg4 = #map1(%arg2) to min #map3(%arg2)[%arg0] {
            affine.for %arg5 = #map1(%arg3) to min #map4(%arg3)[%arg0] {
              %0 = affine.load %arg1[%arg4, %arg5 + 1] : memref<?x?xf32>
              %1 = arith.negf %0 : f32
              affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
            }
          }
        }
      }
    }
    return
  }
}
// ===== anti_dependence_to_the_right | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
#map = affine_map<()[s0] -> (s0 ceildiv 4)>
#map1 = affine_map<()[s0] -> ((s0 - 1) ceildiv 4)>
#map2 = affine_map<(d0)[s0] -> (4, d0 * -4 + s0)>
#map3 = affine_map<(d0, d1) -> (d0 + d1 * 4)>
#map4 = affine_map<(d0)[s0] -> (4, d0 * -4 + s0 - 1)>
module {
  func.func @anti_dependence_to_the_right(%arg0: index, %arg1: memref<?x?xf32>) {
    affine.for %arg2 = 0 to #map()[%arg0] {
      affine.for %arg3 = 0 to #map1()[%arg0] {
        affine.for %arg4 = 0 to min #map2(%arg2)[%arg0] {
          %0 = affine.apply #map3(%arg4, %arg2)
          affine.for %arg5 = 0 to min #map4(%arg3)[%arg0] {
            %1 = affine.apply #map3(%arg5, %arg3)
            %2 = affine.load %arg1[%0, %1 + 1] : memref<?x?xf32>
            %3 = arith.negf %2 : f32
            affine.store %3, %arg1[%0, %1] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== anti_dependence_to_the_right | mlir-opt 22 | affine-loop-tile{tile-size=4},canonicalize
#map = affine_map<()[s0] -> (s0 - 1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map3 = affine_map<(d0)[s0] -> (d0 + 4, s0 - 1)>
module {
  func.func @anti_dependence_to_the_right(%arg0: index, %arg1: memref<?x?xf32>) {
    affine.for %arg2 = 0 to %arg0 step 4 {
      affine.for %arg3 = 0 to #map()[%arg0] step 4 {
        affine.for %arg4 = #map1(%arg2) to min #map2(%arg2)[%arg0] {
          affine.for %arg5 = #map1(%arg3) to min #map3(%arg3)[%arg0] {
            %0 = affine.load %arg1[%arg4, %arg5 + 1] : memref<?x?xf32>
            %1 = arith.negf %0 : f32
            affine.store %1, %arg1[%arg4, %arg5] : memref<?x?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== sum_carried_by_memory | mlir-opt 22 | affine-loop-tile{tile-size=8}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
#map2 = affine_map<(d0) -> (d0 + 8)>
module {
  func.func @sum_carried_by_memory(%arg0: memref<?x24xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x24xf32>
    affine.for %arg2 = 0 to %dim step 8 {
      affine.for %arg3 = 0 to 24 step 8 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to #map2(%arg3) {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x24xf32>
            %1 = affine.load %arg1[0] : memref<1xf32>
            %2 = arith.addf %1, %0 : f32
            affine.store %2, %arg1[0] : memref<1xf32>
          }
        }
      }
    }
    return
  }
}
// ===== sum_carried_by_memory | mlir-opt 22 | affine-loop-tile{tile-sizes=4,8,3}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 8)>
module {
  func.func @sum_carried_by_memory(%arg0: memref<?x24xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x24xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to 24 step 8 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to #map2(%arg3) {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x24xf32>
            %1 = affine.load %arg1[0] : memref<1xf32>
            %2 = arith.addf %1, %0 : f32
            affine.store %2, %arg1[0] : memref<1xf32>
          }
        }
      }
    }
    return
  }
}
// ===== sum_carried_by_memory | mlir-opt 22 | affine-loop-tile{tile-size=5 separate}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 5)>
#map2 = affine_map<(d0)[s0] -> (d0 + 5, s0)>
#map3 = affine_map<(d0) -> (d0 + 5, 24)>
#set = affine_set<(d0, d1)[s0] : (-d0 + s0 - 5 >= 0, -d1 + 19 >= 0)>
module {
  func.func @sum_carried_by_memory(%arg0: memref<?x24xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x24xf32>
    affine.for %arg2 = 0 to %dim step 5 {
      affine.for %arg3 = 0 to 24 step 5 {
        affine.if #set(%arg2, %arg3)[%dim] {
          affine.for %arg4 = #map(%arg2) to #map1(%arg2) {
            affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
              %0 = affine.load %arg0[%arg4, %arg5] : memref<?x24xf32>
              %1 = affine.load %arg1[0] : memref<1xf32>
              %2 = arith.addf %1, %0 : f32
              affine.store %2, %arg1[0] : memref<1xf32>
            }
          }
        } else {
          affine.for %arg4 = #map(%arg2) to min #map2(%arg2)[%dim] {
            affine.for %arg5 = #map(%arg3) to min #map3(%arg3) {
              %0 = affine.load %arg0[%arg4, %arg5] : memref<?x24xf32>
              %1 = affine.load %arg1[0] : memref<1xf32>
              %2 = arith.addf %1, %0 : f32
              affine.store %2, %arg1[0] : memref<1xf32>
            }
          }
        }
      }
    }
    return
  }
}
// ===== sum_carried_by_memory | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
#map = affine_map<()[s0] -> (s0 ceildiv 4)>
#map1 = affine_map<(d0)[s0] -> (4, d0 * -4 + s0)>
#map2 = affine_map<(d0, d1) -> (d0 + d1 * 4)>
module {
  func.func @sum_carried_by_memory(%arg0: memref<?x24xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x24xf32>
    affine.for %arg2 = 0 to #map()[%dim] {
      affine.for %arg3 = 0 to 6 {
        affine.for %arg4 = 0 to min #map1(%arg2)[%dim] {
          %0 = affine.apply #map2(%arg4, %arg2)
          affine.for %arg5 = 0 to 4 {
            %1 = affine.apply #map2(%arg5, %arg3)
            %2 = affine.load %arg0[%0, %1] : memref<?x24xf32>
            %3 = affine.load %arg1[0] : memref<1xf32>
            %4 = arith.addf %3, %2 : f32
            affine.store %4, %arg1[0] : memref<1xf32>
          }
        }
      }
    }
    return
  }
}
// ===== sum_carried_by_memory | mlir-opt 22 | affine-loop-tile{tile-size=4},canonicalize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @sum_carried_by_memory(%arg0: memref<?x24xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x24xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to 24 step 4 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to #map2(%arg3) {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x24xf32>
            %1 = affine.load %arg1[0] : memref<1xf32>
            %2 = arith.addf %1, %0 : f32
            affine.store %2, %arg1[0] : memref<1xf32>
          }
        }
      }
    }
    return
  }
}
// ===== four_deep | mlir-opt 22 | affine-loop-tile{tile-size=8}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
#map2 = affine_map<(d0) -> (d0 + 8)>
#map3 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @four_deep(%arg0: memref<?x10x10xf32>, %arg1: memref<3x3xf32>, %arg2: memref<?x8x8xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x10x10xf32>
    affine.for %arg3 = 0 to %dim step 8 {
      affine.for %arg4 = 0 to 8 step 8 {
        affine.for %arg5 = 0 to 3 step 8 {
          affine.for %arg6 = 0 to 3 step 8 {
            affine.for %arg7 = #map(%arg3) to min #map1(%arg3)[%dim] {
              affine.for %arg8 = #map(%arg4) to #map2(%arg4) {
                affine.for %arg9 = #map(%arg5) to #map3(%arg5) {
                  affine.for %arg10 = #map(%arg6) to #map3(%arg6) {
                    %0 = affine.load %arg0[%arg7, %arg8 + %arg9, %arg10] : memref<?x10x10xf32>
                    %1 = affine.load %arg1[%arg9, %arg10] : memref<3x3xf32>
                    %2 = affine.load %arg2[%arg7, %arg8, 0] : memref<?x8x8xf32>
                    %3 = arith.mulf %0, %1 : f32
                    %4 = arith.addf %2, %3 : f32
                    affine.store %4, %arg2[%arg7, %arg8, 0] : memref<?x8x8xf32>
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
// ===== four_deep | mlir-opt 22 | affine-loop-tile{tile-sizes=4,8,3}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 8)>
#map3 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @four_deep(%arg0: memref<?x10x10xf32>, %arg1: memref<3x3xf32>, %arg2: memref<?x8x8xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x10x10xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = 0 to 8 step 8 {
        affine.for %arg5 = 0 to 3 step 3 {
          affine.for %arg6 = 0 to 3 step 4 {
            affine.for %arg7 = #map(%arg3) to min #map1(%arg3)[%dim] {
              affine.for %arg8 = #map(%arg4) to #map2(%arg4) {
                affine.for %arg9 = #map(%arg5) to #map3(%arg5) {
                  affine.for %arg10 = #map(%arg6) to #map3(%arg6) {
                    %0 = affine.load %arg0[%arg7, %arg8 + %arg9, %arg10] : memref<?x10x10xf32>
                    %1 = affine.load %arg1[%arg9, %arg10] : memref<3x3xf32>
                    %2 = affine.load %arg2[%arg7, %arg8, 0] : memref<?x8x8xf32>
                    %3 = arith.mulf %0, %1 : f32
                    %4 = arith.addf %2, %3 : f32
                    affine.store %4, %arg2[%arg7, %arg8, 0] : memref<?x8x8xf32>
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
// ===== four_deep | mlir-opt 22 | affine-loop-tile{tile-size=5 separate}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 5)>
#map2 = affine_map<(d0) -> (d0 + 3)>
#map3 = affine_map<(d0)[s0] -> (d0 + 5, s0)>
#map4 = affine_map<(d0) -> (d0 + 5, 8)>
#set = affine_set<(d0, d1)[s0] : (-d0 + s0 - 5 >= 0, -d1 + 3 >= 0)>
module {
  func.func @four_deep(%arg0: memref<?x10x10xf32>, %arg1: memref<3x3xf32>, %arg2: memref<?x8x8xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x10x10xf32>
    affine.for %arg3 = 0 to %dim step 5 {
      affine.for %arg4 = 0 to 8 step 5 {
        affine.for %arg5 = 0 to 3 step 5 {
          affine.for %arg6 = 0 to 3 step 5 {
            affine.if #set(%arg3, %arg4)[%dim] {
              affine.for %arg7 = #map(%arg3) to #map1(%arg3) {
                affine.for %arg8 = #map(%arg4) to #map1(%arg4) {
                  affine.for %arg9 = #map(%arg5) to #map2(%arg5) {
                    affine.for %arg10 = #map(%arg6) to #map2(%arg6) {
                      %0 = affine.load %arg0[%arg7, %arg8 + %arg9, %arg10] : memref<?x10x10xf32>
                      %1 = affine.load %arg1[%arg9, %arg10] : memref<3x3xf32>
                      %2 = affine.load %arg2[%arg7, %arg8, 0] : memref<?x8x8xf32>
                      %3 = arith.mulf %0, %1 : f32
                      %4 = arith.addf %2, %3 : f32
                      affine.store %4, %arg2[%arg7, %arg8, 0] : memref<?x8x8xf32>
                    }
                  }
                }
              }
            } else {
              affine.for %arg7 = #map(%arg3) to min #map3(%arg3)[%dim] {
                affine.for %arg8 = #map(%arg4) to min #map4(%arg4) {
                  affine.for %arg9 = #map(%arg5) to #map2(%arg5) {
                    affine.for %arg10 = #map(%arg6) to #map2(%arg6) {
                      %0 = affine.load %arg0[%arg7, %arg8 + %arg9, %arg10] : memref<?x10x10xf32>
                      %1 = affine.load %arg1[%arg9, %arg10] : memref<3x3xf32>
                      %2 = affine.load %arg2[%arg7, %arg8, 0] : memref<?x8x8xf32>
                      %3 = arith.mulf %0, %1 : f32
                      %4 = arith.addf %2, %3 : f32
                      affine.store %4, %arg2[%arg7, %arg8, 0] : memref<?x8x8xf32>
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
// ===== four_deep | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
#map = affine_map<()[s0] -> (s0 ceildiv 4)>
#map1 = affine_map<(d0)[s0] -> (4, d0 * -4 + s0)>
#map2 = affine_map<(d0, d1) -> (d0 + d1 * 4)>
module {
  func.func @four_deep(%arg0: memref<?x10x10xf32>, %arg1: memref<3x3xf32>, %arg2: memref<?x8x8xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x10x10xf32>
    affine.for %arg3 = 0 to #map()[%dim] {
      affine.for %arg4 = 0 to 2 {
        affine.for %arg5 = 0 to 1 {
          affine.for %arg6 = 0 to 1 {
            affine.for %arg7 = 0 to min #map1(%arg3)[%dim] {
              %0 = affine.apply #map2(%arg7, %arg3)
              affine.for %arg8 = 0 to 4 {
                %1 = affine.apply #map2(%arg8, %arg4)
                affine.for %arg9 = 0 to 3 {
                  %2 = affine.apply #map2(%arg9, %arg5)
                  affine.for %arg10 = 0 to 3 {
                    %3 = affine.apply #map2(%arg10, %arg6)
                    %4 = affine.load %arg0[%0, %1 + %2, %3] : memref<?x10x10xf32>
                    %5 = affine.load %arg1[%2, %3] : memref<3x3xf32>
                    %6 = affine.load %arg2[%0, %1, 0] : memref<?x8x8xf32>
                    %7 = arith.mulf %4, %5 : f32
                    %8 = arith.addf %6, %7 : f32
                    affine.store %8, %arg2[%0, %1, 0] : memref<?x8x8xf32>
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
// ===== four_deep | mlir-opt 22 | affine-loop-tile{tile-size=4},canonicalize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @four_deep(%arg0: memref<?x10x10xf32>, %arg1: memref<3x3xf32>, %arg2: memref<?x8x8xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?x10x10xf32>
    affine.for %arg3 = 0 to %dim step 4 {
      affine.for %arg4 = 0 to 8 step 4 {
        affine.for %arg5 = 0 to 3 step 4 {
          affine.for %arg6 = 0 to 3 step 4 {
            affine.for %arg7 = #map(%arg3) to min #map1(%arg3)[%dim] {
              affine.for %arg8 = #map(%arg4) to #map2(%arg4) {
                affine.for %arg9 = 0 to 3 {
                  affine.for %arg10 = 0 to 3 {
                    %0 = affine.load %arg0[%arg7, %arg8 + %arg9, %arg10] : memref<?x10x10xf32>
                    %1 = affine.load %arg1[%arg9, %arg10] : memref<3x3xf32>
                    %2 = affine.load %arg2[%arg7, %arg8, 0] : memref<?x8x8xf32>
                    %3 = arith.mulf %0, %1 : f32
                    %4 = arith.addf %2, %3 : f32
                    affine.store %4, %arg2[%arg7, %arg8, 0] : memref<?x8x8xf32>
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
// ===== triangle | mlir-opt 22 | affine-parallelize
module {
  func.func @triangle(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.parallel (%arg3) = (0) to (symbol(%arg0)) {
      affine.parallel (%arg4) = (0) to (%arg3 + 1) {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        affine.store %0, %arg2[%arg4, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== triangle | mlir-opt 22 | lower-affine
module {
  func.func @triangle(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c1_1 = arith.constant 1 : index
      %0 = arith.addi %arg3, %c1_1 : index
      %c1_2 = arith.constant 1 : index
      scf.for %arg4 = %c0_0 to %0 step %c1_2 {
        %1 = memref.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        memref.store %1, %arg2[%arg4, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== guarded_border | mlir-opt 22 | affine-loop-tile{tile-size=8}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
#set = affine_set<(d0, d1)[s0, s1] : (d0 - 1 >= 0, -d0 + s0 - 2 >= 0, d1 - 1 >= 0, -d1 + s1 - 2 >= 0)>
module {
  func.func @guarded_border(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim step 8 {
      affine.for %arg3 = 0 to %dim_0 step 8 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim_0] {
            affine.store %cst, %arg1[%arg4, %arg5] : memref<?x?xf32>
            affine.if #set(%arg4, %arg5)[%dim, %dim_0] {
              %0 = affine.load %arg0[%arg4 - 1, %arg5 - 1] : memref<?x?xf32>
              affine.store %0, %arg1[%arg4, %arg5] : memref<?x?xf32>
            }
          }
        }
      }
    }
    return
  }
}
// ===== guarded_border | mlir-opt 22 | affine-loop-tile{tile-sizes=4,8,3}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0)[s0] -> (d0 + 8, s0)>
#set = affine_set<(d0, d1)[s0, s1] : (d0 - 1 >= 0, -d0 + s0 - 2 >= 0, d1 - 1 >= 0, -d1 + s1 - 2 >= 0)>
module {
  func.func @guarded_border(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to %dim_0 step 8 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map2(%arg3)[%dim_0] {
            affine.store %cst, %arg1[%arg4, %arg5] : memref<?x?xf32>
            affine.if #set(%arg4, %arg5)[%dim, %dim_0] {
              %0 = affine.load %arg0[%arg4 - 1, %arg5 - 1] : memref<?x?xf32>
              affine.store %0, %arg1[%arg4, %arg5] : memref<?x?xf32>
            }
          }
        }
      }
    }
    return
  }
}
// ===== guarded_border | mlir-opt 22 | affine-loop-tile{tile-size=5 separate}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 5)>
#map2 = affine_map<(d0)[s0] -> (d0 + 5, s0)>
#set = affine_set<(d0, d1)[s0, s1] : (-d0 + s0 - 5 >= 0, -d1 + s1 - 5 >= 0)>
#set1 = affine_set<(d0, d1)[s0, s1] : (d0 - 1 >= 0, -d0 + s0 - 2 >= 0, d1 - 1 >= 0, -d1 + s1 - 2 >= 0)>
module {
  func.func @guarded_border(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim step 5 {
      affine.for %arg3 = 0 to %dim_0 step 5 {
        affine.if #set(%arg2, %arg3)[%dim, %dim_0] {
          affine.for %arg4 = #map(%arg2) to #map1(%arg2) {
            affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
              affine.store %cst, %arg1[%arg4, %arg5] : memref<?x?xf32>
              affine.if #set1(%arg4, %arg5)[%dim, %dim_0] {
                %0 = affine.load %arg0[%arg4 - 1, %arg5 - 1] : memref<?x?xf32>
                affine.store %0, %arg1[%arg4, %arg5] : memref<?x?xf32>
              }
            }
          }
        } else {
          affine.for %arg4 = #map(%arg2) to min #map2(%arg2)[%dim] {
            affine.for %arg5 = #map(%arg3) to min #map2(%arg3)[%dim_0] {
              affine.store %cst, %arg1[%arg4, %arg5] : memref<?x?xf32>
              affine.if #set1(%arg4, %arg5)[%dim, %dim_0] {
                %0 = affine.load %arg0[%arg4 - 1, %arg5 - 1] : memref<?x?xf32>
                affine.store %0, %arg1[%arg4, %arg5] : memref<?x?xf32>
              }
            }
          }
        }
      }
    }
    return
  }
}
// ===== guarded_border | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-loop-normalize,affine-simplify-structures
#map = affine_map<()[s0] -> (s0 ceildiv 4)>
#map1 = affine_map<(d0)[s0] -> (4, d0 * -4 + s0)>
#map2 = affine_map<(d0, d1) -> (d0 + d1 * 4)>
#set = affine_set<(d0, d1, d2, d3)[s0, s1] : (d0 + d2 * 4 - 1 >= 0, -d0 - d2 * 4 + s0 - 2 >= 0, d1 + d3 * 4 - 1 >= 0, -d1 - d3 * 4 + s1 - 2 >= 0)>
module {
  func.func @guarded_border(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to #map()[%dim] {
      affine.for %arg3 = 0 to #map()[%dim_0] {
        affine.for %arg4 = 0 to min #map1(%arg2)[%dim] {
          %0 = affine.apply #map2(%arg4, %arg2)
          affine.for %arg5 = 0 to min #map1(%arg3)[%dim_0] {
            %1 = affine.apply #map2(%arg5, %arg3)
            affine.store %cst, %arg1[%0, %1] : memref<?x?xf32>
            affine.if #set(%arg4, %arg5, %arg2, %arg3)[%dim, %dim_0] {
              %2 = affine.load %arg0[%0 - 1, %1 - 1] : memref<?x?xf32>
              affine.store %2, %arg1[%0, %1] : memref<?x?xf32>
            }
          }
        }
      }
    }
    return
  }
}
// ===== guarded_border | mlir-opt 22 | affine-loop-tile{tile-size=4},canonicalize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#set = affine_set<(d0, d1)[s0, s1] : (d0 - 1 >= 0, -d0 + s0 - 2 >= 0, d1 - 1 >= 0, -d1 + s1 - 2 >= 0)>
module {
  func.func @guarded_border(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg1, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg1, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to %dim_0 step 4 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%dim_0] {
            affine.store %cst, %arg1[%arg4, %arg5] : memref<?x?xf32>
            affine.if #set(%arg4, %arg5)[%dim, %dim_0] {
              %0 = affine.load %arg0[%arg4 - 1, %arg5 - 1] : memref<?x?xf32>
              affine.store %0, %arg1[%arg4, %arg5] : memref<?x?xf32>
            }
          }
        }
      }
    }
    return
  }
}
