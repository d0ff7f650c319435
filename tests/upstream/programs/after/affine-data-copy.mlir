// ===== sum_of_two_rows | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}
module {
  func.func @sum_of_two_rows(%arg0: memref<32xf32>, %arg1: memref<32xf32>) {
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %c32_0 = arith.constant 32 : index
    %c0_1 = arith.constant 0 : index
    %c32_2 = arith.constant 32 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<32xf32>
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %arg0[%arg2] : memref<32xf32>
      affine.store %0, %alloc[%arg2] : memref<32xf32>
    }
    %alloc_5 = memref.alloc() : memref<32xf32>
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %arg1[%arg2] : memref<32xf32>
      affine.store %0, %alloc_5[%arg2] : memref<32xf32>
    }
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %alloc[%arg2] : memref<32xf32>
      %1 = affine.load %alloc_5[%arg2] : memref<32xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %alloc_5[%arg2] : memref<32xf32>
    }
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %alloc_5[%arg2] : memref<32xf32>
      affine.store %0, %arg1[%arg2] : memref<32xf32>
    }
    memref.dealloc %alloc_5 : memref<32xf32>
    memref.dealloc %alloc : memref<32xf32>
    return
  }
}
// ===== sum_of_two_rows | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @sum_of_two_rows(%arg0: memref<32xf32>, %arg1: memref<32xf32>) {
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %c32_0 = arith.constant 32 : index
    %c0_1 = arith.constant 0 : index
    %c32_2 = arith.constant 32 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<32xf32>
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %arg0[%arg2] : memref<32xf32>
      affine.store %0, %alloc[%arg2] : memref<32xf32>
    }
    %alloc_5 = memref.alloc() : memref<32xf32>
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %arg1[%arg2] : memref<32xf32>
      affine.store %0, %alloc_5[%arg2] : memref<32xf32>
    }
    affine.for %arg2 = 0 to 32 step 4 {
      affine.for %arg3 = #map(%arg2) to #map1(%arg2) {
        %0 = affine.load %alloc[%arg3] : memref<32xf32>
        %1 = affine.load %alloc_5[%arg3] : memref<32xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %alloc_5[%arg3] : memref<32xf32>
      }
    }
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %alloc_5[%arg2] : memref<32xf32>
      affine.store %0, %arg1[%arg2] : memref<32xf32>
    }
    memref.dealloc %alloc_5 : memref<32xf32>
    memref.dealloc %alloc : memref<32xf32>
    return
  }
}
// ===== sum_of_two_rows | mlir-opt 22 | affine-data-copy-generate{generate-dma=false fast-mem-space=0},canonicalize
module {
  func.func @sum_of_two_rows(%arg0: memref<32xf32>, %arg1: memref<32xf32>) {
    %alloc = memref.alloc() : memref<32xf32>
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %arg0[%arg2] : memref<32xf32>
      affine.store %0, %alloc[%arg2] : memref<32xf32>
    }
    %alloc_0 = memref.alloc() : memref<32xf32>
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %arg1[%arg2] : memref<32xf32>
      affine.store %0, %alloc_0[%arg2] : memref<32xf32>
    }
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %alloc[%arg2] : memref<32xf32>
      %1 = affine.load %alloc_0[%arg2] : memref<32xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %alloc_0[%arg2] : memref<32xf32>
    }
    affine.for %arg2 = 0 to 32 {
      %0 = affine.load %alloc_0[%arg2] : memref<32xf32>
      affine.store %0, %arg1[%arg2] : memref<32xf32>
    }
    memref.dealloc %alloc_0 : memref<32xf32>
    memref.dealloc %alloc : memref<32xf32>
    return
  }
}
// ===== product_by_tiles | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 8)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @product_by_tiles(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>, %arg2: memref<16x16xf32>) {
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %c64_0 = arith.constant 64 : index
    %c0_1 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c0_2 = arith.constant 0 : index
    %c128_3 = arith.constant 128 : index
    %c0_4 = arith.constant 0 : index
    %c0_5 = arith.constant 0 : index
    affine.for %arg3 = 0 to 16 step 8 {
      %0 = affine.apply #map(%arg3)
      %alloc = memref.alloc() : memref<8x16xf32>
      affine.for %arg4 = #map(%arg3) to #map1(%arg3) {
        affine.for %arg5 = 0 to 16 {
          %1 = affine.load %arg0[%arg4, %arg5] : memref<16x16xf32>
          affine.store %1, %alloc[%arg4 - %arg3, %arg5] : memref<8x16xf32>
        }
      }
      affine.for %arg4 = 0 to 16 step 8 {
        %1 = affine.apply #map(%arg4)
        %alloc_6 = memref.alloc() : memref<16x8xf32>
        affine.for %arg5 = 0 to 16 {
          affine.for %arg6 = #map(%arg4) to #map1(%arg4) {
            %6 = affine.load %arg1[%arg5, %arg6] : memref<16x16xf32>
            affine.store %6, %alloc_6[%arg5, %arg6 - %arg4] : memref<16x8xf32>
          }
        }
        %2 = affine.apply #map2(%arg3, %arg4)
        %3 = affine.apply #map3(%arg3, %arg4)
        %alloc_7 = memref.alloc() : memref<8x8xf32>
        affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
          affine.for %arg6 = #map(%arg4) to #map1(%arg4) {
            %6 = affine.load %arg2[%arg5, %arg6] : memref<16x16xf32>
            affine.store %6, %alloc_7[%arg5 - %arg3, %arg6 - %arg4] : memref<8x8xf32>
          }
        }
        affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
          affine.for %arg6 = #map(%arg4) to #map1(%arg4) {
            affine.for %arg7 = 0 to 16 {
              %6 = affine.load %alloc[-%arg3 + %arg5, %arg7] : memref<8x16xf32>
              %7 = affine.load %alloc_6[%arg7, -%arg4 + %arg6] : memref<16x8xf32>
              %8 = affine.load %alloc_7[-%arg3 + %arg5, -%arg4 + %arg6] : memref<8x8xf32>
              %9 = arith.mulf %6, %7 : f32
              %10 = arith.addf %8, %9 : f32
              affine.store %10, %alloc_7[-%arg3 + %arg5, -%arg4 + %arg6] : memref<8x8xf32>
            }
          }
        }
        %4 = affine.apply #map2(%arg3, %arg4)
        %5 = affine.apply #map3(%arg3, %arg4)
        affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
          affine.for %arg6 = #map(%arg4) to #map1(%arg4) {
            %6 = affine.load %alloc_7[%arg5 - %arg3, %arg6 - %arg4] : memref<8x8xf32>
            affine.store %6, %arg2[%arg5, %arg6] : memref<16x16xf32>
          }
        }
        memref.dealloc %alloc_7 : memref<8x8xf32>
        memref.dealloc %alloc_6 : memref<16x8xf32>
      }
      memref.dealloc %alloc : memref<8x16xf32>
    }
    return
  }
}
// ===== product_by_tiles | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 8)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d0)>
#map4 = affine_map<(d0, d1, d2) -> (d2)>
module {
  func.func @product_by_tiles(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>, %arg2: memref<16x16xf32>) {
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %c8_0 = arith.constant 8 : index
    %c0_1 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c0_2 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c0_3 = arith.constant 0 : index
    %c0_4 = arith.constant 0 : index
    affine.for %arg3 = 0 to 16 step 8 {
      affine.for %arg4 = 0 to 16 step 8 {
        %0 = affine.apply #map(%arg4)
        %alloc = memref.alloc() : memref<16x8xf32>
        affine.for %arg5 = 0 to 16 {
          affine.for %arg6 = #map(%arg4) to #map1(%arg4) {
            %1 = affine.load %arg1[%arg5, %arg6] : memref<16x16xf32>
            affine.store %1, %alloc[%arg5, %arg6 - %arg4] : memref<16x8xf32>
          }
        }
        affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
          %1 = affine.apply #map2(%arg5, %arg3)
          %alloc_5 = memref.alloc() : memref<1x16xf32>
          affine.for %arg6 = 0 to 16 {
            %6 = affine.load %arg0[%arg5, %arg6] : memref<16x16xf32>
            affine.store %6, %alloc_5[0, %arg6] : memref<1x16xf32>
          }
          %2 = affine.apply #map3(%arg5, %arg3, %arg4)
          %3 = affine.apply #map4(%arg5, %arg3, %arg4)
          %alloc_6 = memref.alloc() : memref<1x8xf32>
          affine.for %arg6 = #map(%arg4) to #map1(%arg4) {
            %6 = affine.load %arg2[%arg5, %arg6] : memref<16x16xf32>
            affine.store %6, %alloc_6[0, %arg6 - %arg4] : memref<1x8xf32>
          }
          affine.for %arg6 = #map(%arg4) to #map1(%arg4) {
            affine.for %arg7 = 0 to 16 {
              %6 = affine.load %alloc_5[0, %arg7] : memref<1x16xf32>
              %7 = affine.load %alloc[%arg7, -%arg4 + %arg6] : memref<16x8xf32>
              %8 = affine.load %alloc_6[0, -%arg4 + %arg6] : memref<1x8xf32>
              %9 = arith.mulf %6, %7 : f32
              %10 = arith.addf %8, %9 : f32
              affine.store %10, %alloc_6[0, -%arg4 + %arg6] : memref<1x8xf32>
            }
          }
          %4 = affine.apply #map3(%arg5, %arg3, %arg4)
          %5 = affine.apply #map4(%arg5, %arg3, %arg4)
          affine.for %arg6 = #map(%arg4) to #map1(%arg4) {
            %6 = affine.load %alloc_6[0, %arg6 - %arg4] : memref<1x8xf32>
            affine.store %6, %arg2[%arg5, %arg6] : memref<16x16xf32>
          }
          memref.dealloc %alloc_6 : memref<1x8xf32>
          memref.dealloc %alloc_5 : memref<1x16xf32>
        }
        memref.dealloc %alloc : memref<16x8xf32>
      }
    }
    return
  }
}
// ===== product_by_tiles | mlir-opt 22 | affine-data-copy-generate{generate-dma=false fast-mem-space=0},canonicalize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 8)>
module {
  func.func @product_by_tiles(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>, %arg2: memref<16x16xf32>) {
    %alloc = memref.alloc() : memref<16x16xf32>
    affine.for %arg3 = 0 to 16 {
      affine.for %arg4 = 0 to 16 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<16x16xf32>
        affine.store %0, %alloc[%arg3, %arg4] : memref<16x16xf32>
      }
    }
    %alloc_0 = memref.alloc() : memref<16x16xf32>
    affine.for %arg3 = 0 to 16 {
      affine.for %arg4 = 0 to 16 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<16x16xf32>
        affine.store %0, %alloc_0[%arg3, %arg4] : memref<16x16xf32>
      }
    }
    %alloc_1 = memref.alloc() : memref<16x16xf32>
    affine.for %arg3 = 0 to 16 {
      affine.for %arg4 = 0 to 16 {
        %0 = affine.load %arg2[%arg3, %arg4] : memref<16x16xf32>
        affine.store %0, %alloc_1[%arg3, %arg4] : memref<16x16xf32>
      }
    }
    affine.for %arg3 = 0 to 16 step 8 {
      affine.for %arg4 = 0 to 16 step 8 {
        affine.for %arg5 = #map(%arg3) to #map1(%arg3) {
          affine.for %arg6 = #map(%arg4) to #map1(%arg4) {
            affine.for %arg7 = 0 to 16 {
              %0 = affine.load %alloc[%arg5, %arg7] : memref<16x16xf32>
              %1 = affine.load %alloc_0[%arg7, %arg6] : memref<16x16xf32>
              %2 = affine.load %alloc_1[%arg5, %arg6] : memref<16x16xf32>
              %3 = arith.mulf %0, %1 : f32
              %4 = arith.addf %2, %3 : f32
              affine.store %4, %alloc_1[%arg5, %arg6] : memref<16x16xf32>
            }
          }
        }
      }
    }
    affine.for %arg3 = 0 to 16 {
      affine.for %arg4 = 0 to 16 {
        %0 = affine.load %alloc_1[%arg3, %arg4] : memref<16x16xf32>
        affine.store %0, %arg2[%arg3, %arg4] : memref<16x16xf32>
      }
    }
    memref.dealloc %alloc_1 : memref<16x16xf32>
    memref.dealloc %alloc_0 : memref<16x16xf32>
    memref.dealloc %alloc : memref<16x16xf32>
    return
  }
}
// ===== columns_of_open_height | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}
module {
  func.func @columns_of_open_height(%arg0: memref<?x20xf32>, %arg1: memref<?x20xf32>) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0_2 : memref<?x20xf32>
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to 20 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x20xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x20xf32>
      }
    }
    return
  }
}
// ===== columns_of_open_height | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @columns_of_open_height(%arg0: memref<?x20xf32>, %arg1: memref<?x20xf32>) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0_2 : memref<?x20xf32>
    affine.for %arg2 = 0 to %dim step 4 {
      affine.for %arg3 = 0 to 20 step 4 {
        affine.for %arg4 = #map(%arg2) to min #map1(%arg2)[%dim] {
          affine.for %arg5 = #map(%arg3) to #map2(%arg3) {
            %0 = affine.load %arg0[%arg4, %arg5] : memref<?x20xf32>
            %1 = arith.mulf %0, %0 : f32
            affine.store %1, %arg1[%arg4, %arg5] : memref<?x20xf32>
          }
        }
      }
    }
    return
  }
}
// ===== reuse_of_a_window | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}
module {
  func.func @reuse_of_a_window(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 5 {
        %0 = affine.load %arg1[%arg3 + %arg4] : memref<?xf32>
        %1 = affine.load %arg2[%arg3] : memref<?xf32>
        %2 = arith.maximumf %0, %1 : f32
        affine.store %2, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== reuse_of_a_window | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#map2 = affine_map<(d0) -> (d0 + 4, 5)>
module {
  func.func @reuse_of_a_window(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    affine.for %arg3 = 0 to %arg0 step 4 {
      affine.for %arg4 = 0 to 5 step 4 {
        affine.for %arg5 = #map(%arg3) to min #map1(%arg3)[%arg0] {
          affine.for %arg6 = #map(%arg4) to min #map2(%arg4) {
            %0 = affine.load %arg1[%arg5 + %arg6] : memref<?xf32>
            %1 = affine.load %arg2[%arg5] : memref<?xf32>
            %2 = arith.maximumf %0, %1 : f32
            affine.store %2, %arg2[%arg5] : memref<?xf32>
          }
        }
      }
    }
    return
  }
}
// ===== write_only_half | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}
#map = affine_map<(d0) -> (d0 + 10)>
module {
  func.func @write_only_half(%arg0: memref<20xi32>, %arg1: memref<20xi32>) {
    %c10 = arith.constant 10 : index
    %c10_0 = arith.constant 10 : index
    %c0 = arith.constant 0 : index
    %c19 = arith.constant 19 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<19xi32>
    affine.for %arg2 = 0 to 19 {
      %0 = affine.load %arg0[%arg2] : memref<20xi32>
      affine.store %0, %alloc[%arg2] : memref<19xi32>
    }
    %alloc_3 = memref.alloc() : memref<10xi32>
    affine.for %arg2 = 0 to 10 {
      %0 = affine.load %alloc[%arg2 * 2] : memref<19xi32>
      %1 = affine.apply #map(%arg2)
      affine.store %0, %alloc_3[%arg2] : memref<10xi32>
    }
    affine.for %arg2 = 10 to 20 {
      %0 = affine.load %alloc_3[%arg2 - 10] : memref<10xi32>
      affine.store %0, %arg1[%arg2] : memref<20xi32>
    }
    memref.dealloc %alloc_3 : memref<10xi32>
    memref.dealloc %alloc : memref<19xi32>
    return
  }
}
// ===== write_only_half | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4, 10)>
#map2 = affine_map<(d0) -> (d0 + 10)>
module {
  func.func @write_only_half(%arg0: memref<20xi32>, %arg1: memref<20xi32>) {
    %c10 = arith.constant 10 : index
    %c10_0 = arith.constant 10 : index
    %c0 = arith.constant 0 : index
    %c19 = arith.constant 19 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<19xi32>
    affine.for %arg2 = 0 to 19 {
      %0 = affine.load %arg0[%arg2] : memref<20xi32>
      affine.store %0, %alloc[%arg2] : memref<19xi32>
    }
    %alloc_3 = memref.alloc() : memref<10xi32>
    affine.for %arg2 = 0 to 10 step 4 {
      affine.for %arg3 = #map(%arg2) to min #map1(%arg2) {
        %0 = affine.load %alloc[%arg3 * 2] : memref<19xi32>
        %1 = affine.apply #map2(%arg3)
        affine.store %0, %alloc_3[%arg3] : memref<10xi32>
      }
    }
    affine.for %arg2 = 10 to 20 {
      %0 = affine.load %alloc_3[%arg2 - 10] : memref<10xi32>
      affine.store %0, %arg1[%arg2] : memref<20xi32>
    }
    memref.dealloc %alloc_3 : memref<10xi32>
    memref.dealloc %alloc : memref<19xi32>
    return
  }
}
// ===== write_only_half | mlir-opt 22 | affine-data-copy-generate{generate-dma=false fast-mem-space=0},canonicalize
module {
  func.func @write_only_half(%arg0: memref<20xi32>, %arg1: memref<20xi32>) {
    %alloc = memref.alloc() : memref<19xi32>
    affine.for %arg2 = 0 to 19 {
      %0 = affine.load %arg0[%arg2] : memref<20xi32>
      affine.store %0, %alloc[%arg2] : memref<19xi32>
    }
    %alloc_0 = memref.alloc() : memref<10xi32>
    affine.for %arg2 = 0 to 10 {
      %0 = affine.load %alloc[%arg2 * 2] : memref<19xi32>
      affine.store %0, %alloc_0[%arg2] : memref<10xi32>
    }
    affine.for %arg2 = 10 to 20 {
      %0 = affine.load %alloc_0[%arg2 - 10] : memref<10xi32>
      affine.store %0, %arg1[%arg2] : memref<20xi32>
    }
    memref.dealloc %alloc_0 : memref<10xi32>
    memref.dealloc %alloc : memref<19xi32>
    return
  }
}
// ===== stride_of_four | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4)>
#map2 = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @stride_of_four(%arg0: memref<64xf32>, %arg1: memref<64xf32>) {
    %c4 = arith.constant 4 : index
    %c0 = arith.constant 0 : index
    %c4_0 = arith.constant 4 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    affine.for %arg2 = 0 to 64 step 4 {
      %0 = affine.apply #map(%arg2)
      %alloc = memref.alloc() : memref<4xf32>
      affine.for %arg3 = #map(%arg2) to #map1(%arg2) {
        %2 = affine.load %arg0[%arg3] : memref<64xf32>
        affine.store %2, %alloc[%arg3 - %arg2] : memref<4xf32>
      }
      %alloc_3 = memref.alloc() : memref<4xf32>
      affine.for %arg3 = 0 to 4 {
        %2 = affine.apply #map2(%arg2, %arg3)
        %3 = affine.load %alloc[%arg3] : memref<4xf32>
        %4 = arith.negf %3 : f32
        %5 = affine.apply #map2(%arg2, %arg3)
        affine.store %4, %alloc_3[%arg3] : memref<4xf32>
      }
      %1 = affine.apply #map(%arg2)
      affine.for %arg3 = #map(%arg2) to #map1(%arg2) {
        %2 = affine.load %alloc_3[%arg3 - %arg2] : memref<4xf32>
        affine.store %2, %arg1[%arg3] : memref<64xf32>
      }
      memref.dealloc %alloc_3 : memref<4xf32>
      memref.dealloc %alloc : memref<4xf32>
    }
    return
  }
}
// ===== stride_of_four | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
module {
  func.func @stride_of_four(%arg0: memref<64xf32>, %arg1: memref<64xf32>) {
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %c64_0 = arith.constant 64 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<64xf32>
    affine.for %arg2 = 0 to 64 {
      %0 = affine.load %arg0[%arg2] : memref<64xf32>
      affine.store %0, %alloc[%arg2] : memref<64xf32>
    }
    %alloc_3 = memref.alloc() : memref<64xf32>
    affine.for %arg2 = 0 to 64 step 4 {
      affine.for %arg3 = 0 to 4 {
        %0 = affine.load %alloc[%arg2 + %arg3] : memref<64xf32>
        %1 = arith.negf %0 : f32
        affine.store %1, %alloc_3[%arg2 + %arg3] : memref<64xf32>
      }
    }
    affine.for %arg2 = 0 to 64 {
      %0 = affine.load %alloc_3[%arg2] : memref<64xf32>
      affine.store %0, %arg1[%arg2] : memref<64xf32>
    }
    memref.dealloc %alloc_3 : memref<64xf32>
    memref.dealloc %alloc : memref<64xf32>
    return
  }
}
// ===== stride_of_four | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 16)>
#map2 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @stride_of_four(%arg0: memref<64xf32>, %arg1: memref<64xf32>) {
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %c64_0 = arith.constant 64 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<64xf32>
    affine.for %arg2 = 0 to 67 {
      %0 = affine.load %arg0[%arg2] : memref<64xf32>
      affine.store %0, %alloc[%arg2] : memref<64xf32>
    }
    %alloc_3 = memref.alloc() : memref<64xf32>
    affine.for %arg2 = 0 to 64 step 16 {
      affine.for %arg3 = 0 to 4 step 4 {
        affine.for %arg4 = #map(%arg2) to #map1(%arg2) step 4 {
          affine.for %arg5 = #map(%arg3) to #map2(%arg3) {
            %0 = affine.load %alloc[%arg4 + %arg5] : memref<64xf32>
            %1 = arith.negf %0 : f32
            affine.store %1, %alloc_3[%arg4 + %arg5] : memref<64xf32>
          }
        }
      }
    }
    affine.for %arg2 = 0 to 67 {
      %0 = affine.load %alloc_3[%arg2] : memref<64xf32>
      affine.store %0, %arg1[%arg2] : memref<64xf32>
    }
    memref.dealloc %alloc_3 : memref<64xf32>
    memref.dealloc %alloc : memref<64xf32>
    return
  }
}
// ===== stride_of_four | mlir-opt 22 | affine-data-copy-generate{generate-dma=false fast-mem-space=0},canonicalize
module {
  func.func @stride_of_four(%arg0: memref<64xf32>, %arg1: memref<64xf32>) {
    %alloc = memref.alloc() : memref<64xf32>
    affine.for %arg2 = 0 to 64 {
      %0 = affine.load %arg0[%arg2] : memref<64xf32>
      affine.store %0, %alloc[%arg2] : memref<64xf32>
    }
    %alloc_0 = memref.alloc() : memref<64xf32>
    affine.for %arg2 = 0 to 64 step 4 {
      affine.for %arg3 = 0 to 4 {
        %0 = affine.load %alloc[%arg2 + %arg3] : memref<64xf32>
        %1 = arith.negf %0 : f32
        affine.store %1, %alloc_0[%arg2 + %arg3] : memref<64xf32>
      }
    }
    affine.for %arg2 = 0 to 64 {
      %0 = affine.load %alloc_0[%arg2] : memref<64xf32>
      affine.store %0, %arg1[%arg2] : memref<64xf32>
    }
    memref.dealloc %alloc_0 : memref<64xf32>
    memref.dealloc %alloc : memref<64xf32>
    return
  }
}
// ===== one_element_again_and_again | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}
#map = affine_map<() -> (3)>
module {
  func.func @one_element_again_and_again(%arg0: memref<6xf32>, %arg1: memref<6xf32>, %arg2: f32) {
    %c3 = arith.constant 3 : index
    %c3_0 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %c0 = arith.constant 0 : index
    %c3_1 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %c0_2 = arith.constant 0 : index
    %c3_3 = arith.constant 3 : index
    %c1_4 = arith.constant 1 : index
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<1xf32>
    %0 = affine.load %arg0[3] : memref<6xf32>
    affine.store %0, %alloc[0] : memref<1xf32>
    %alloc_7 = memref.alloc() : memref<6xf32>
    affine.for %arg3 = 0 to 6 {
      %2 = affine.apply #map()
      affine.store %arg2, %alloc[0] : memref<1xf32>
      %3 = affine.apply #map()
      %4 = affine.load %alloc[0] : memref<1xf32>
      affine.store %4, %alloc_7[%arg3] : memref<6xf32>
    }
    affine.for %arg3 = 0 to 6 {
      %2 = affine.load %alloc_7[%arg3] : memref<6xf32>
      affine.store %2, %arg1[%arg3] : memref<6xf32>
    }
    memref.dealloc %alloc_7 : memref<6xf32>
    %1 = affine.load %alloc[0] : memref<1xf32>
    affine.store %1, %arg0[3] : memref<6xf32>
    memref.dealloc %alloc : memref<1xf32>
    return
  }
}
// ===== one_element_again_and_again | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 4, 6)>
#map2 = affine_map<() -> (3)>
module {
  func.func @one_element_again_and_again(%arg0: memref<6xf32>, %arg1: memref<6xf32>, %arg2: f32) {
    %c3 = arith.constant 3 : index
    %c3_0 = arith.constant 3 : index
    %c6 = arith.constant 6 : index
    %c0 = arith.constant 0 : index
    %c3_1 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    %c0_2 = arith.constant 0 : index
    %c3_3 = arith.constant 3 : index
    %c1_4 = arith.constant 1 : index
    %c0_5 = arith.constant 0 : index
    %c0_6 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<1xf32>
    %0 = affine.load %arg0[3] : memref<6xf32>
    affine.store %0, %alloc[0] : memref<1xf32>
    %alloc_7 = memref.alloc() : memref<6xf32>
    affine.for %arg3 = 0 to 6 step 4 {
      affine.for %arg4 = #map(%arg3) to min #map1(%arg3) {
        %2 = affine.apply #map2()
        affine.store %arg2, %alloc[0] : memref<1xf32>
        %3 = affine.apply #map2()
        %4 = affine.load %alloc[0] : memref<1xf32>
        affine.store %4, %alloc_7[%arg4] : memref<6xf32>
      }
    }
    affine.for %arg3 = 0 to 6 {
      %2 = affine.load %alloc_7[%arg3] : memref<6xf32>
      affine.store %2, %arg1[%arg3] : memref<6xf32>
    }
    memref.dealloc %alloc_7 : memref<6xf32>
    %1 = affine.load %alloc[0] : memref<1xf32>
    affine.store %1, %arg0[3] : memref<6xf32>
    memref.dealloc %alloc : memref<1xf32>
    return
  }
}
// ===== one_element_again_and_again | mlir-opt 22 | affine-data-copy-generate{generate-dma=false fast-mem-space=0},canonicalize
module {
  func.func @one_element_again_and_again(%arg0: memref<6xf32>, %arg1: memref<6xf32>, %arg2: f32) {
    %alloc = memref.alloc() : memref<1xf32>
    %0 = affine.load %arg0[3] : memref<6xf32>
    affine.store %0, %alloc[0] : memref<1xf32>
    %alloc_0 = memref.alloc() : memref<6xf32>
    affine.for %arg3 = 0 to 6 {
      affine.store %arg2, %alloc[0] : memref<1xf32>
      %2 = affine.load %alloc[0] : memref<1xf32>
      affine.store %2, %alloc_0[%arg3] : memref<6xf32>
    }
    affine.for %arg3 = 0 to 6 {
      %2 = affine.load %alloc_0[%arg3] : memref<6xf32>
      affine.store %2, %arg1[%arg3] : memref<6xf32>
    }
    memref.dealloc %alloc_0 : memref<6xf32>
    %1 = affine.load %alloc[0] : memref<1xf32>
    affine.store %1, %arg0[3] : memref<6xf32>
    memref.dealloc %alloc : memref<1xf32>
    return
  }
}
// ===== triangular_reads | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}
#map = affine_map<(d0) -> (d0)>
module {
  func.func @triangular_reads(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to #map(%arg3) {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        %1 = affine.load %arg2[%arg4] : memref<?xf32>
        %2 = arith.addf %0, %1 : f32
        affine.store %2, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== guarded_writes_are_copied_back | mlir-opt 22 | affine-data-copy-generate{fast-mem-space=0 skip-non-unit-stride-loops}
#set = affine_set<(d0) : (d0 mod 3 == 0)>
module {
  func.func @guarded_writes_are_copied_back(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    affine.for %arg3 = 0 to %arg0 {
      affine.if #set(%arg3) {
        %0 = affine.load %arg1[%arg3] : memref<?xf32>
        affine.store %0, %arg2[%arg3] : memref<?xf32>
      }
    }
    return
  }
}
// ===== guarded_writes_are_copied_back | mlir-opt 22 | affine-loop-tile{tile-size=4},affine-data-copy-generate{fast-mem-space=0 fast-mem-capacity=1}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0)[s0] -> (d0 + 4, s0)>
#set = affine_set<(d0) : (d0 mod 3 == 0)>
module {
  func.func @guarded_writes_are_copied_back(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    affine.for %arg3 = 0 to %arg0 step 4 {
      affine.for %arg4 = #map(%arg3) to min #map1(%arg3)[%arg0] {
        affine.if #set(%arg4) {
          %0 = affine.load %arg1[%arg4] : memref<?xf32>
          affine.store %0, %arg2[%arg4] : memref<?xf32>
        }
      }
    }
    return
  }
}
