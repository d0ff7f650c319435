// ===== rows_of_a_view | mlir-opt 22 | fold-memref-alias-ops
#map = affine_map<()[s0] -> (s0 * 2 + 2)>
#map1 = affine_map<()[s0] -> (s0 * 3 + 5)>
module {
  func.func @rows_of_a_view(%arg0: index, %arg1: memref<12x32xf32>, %arg2: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    scf.for %arg3 = %c0 to %c4 step %c1 {
      scf.for %arg4 = %c0 to %c4 step %c1 {
        %0 = affine.apply #map()[%arg3]
        %1 = affine.apply #map1()[%arg4]
        %2 = memref.load %arg1[%0, %1] : memref<12x32xf32>
        memref.store %2, %arg2[%arg0, %arg4] : memref<?x4xf32>
      }
    }
    return
  }
}
// ===== rows_of_a_view | mlir-opt 22 | expand-strided-metadata
module {
  func.func @rows_of_a_view(%arg0: index, %arg1: memref<12x32xf32>, %arg2: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<12x32xf32> -> memref<f32>, index, index, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [69], sizes: [4, 4], strides: [64, 3] : memref<f32> to memref<4x4xf32, strided<[64, 3], offset: 69>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      scf.for %arg4 = %c0 to %c4 step %c1 {
        %0 = memref.load %reinterpret_cast[%arg3, %arg4] : memref<4x4xf32, strided<[64, 3], offset: 69>>
        memref.store %0, %arg2[%arg0, %arg4] : memref<?x4xf32>
      }
    }
    return
  }
}
// ===== rows_of_a_view | mlir-opt 22 | flatten-memref
#map = affine_map<()[s0, s1] -> (s0 * 64 + s1 * 3)>
#map1 = affine_map<()[s0, s1] -> (s0 * 4 + s1)>
#map2 = affine_map<()[s0] -> (s0 * 4, 4)>
module {
  func.func @rows_of_a_view(%arg0: index, %arg1: memref<12x32xf32>, %arg2: memref<?x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %subview = memref.subview %arg1[2, 5] [4, 4] [2, 3] : memref<12x32xf32> to memref<4x4xf32, strided<[64, 3], offset: 69>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      scf.for %arg4 = %c0 to %c4 step %c1 {
        %0 = affine.apply #map()[%arg3, %arg4]
        %reinterpret_cast = memref.reinterpret_cast %subview to offset: [69], sizes: [256], strides: [1] : memref<4x4xf32, strided<[64, 3], offset: 69>> to memref<256xf32, strided<[1], offset: 69>>
        %1 = memref.load %reinterpret_cast[%0] : memref<256xf32, strided<[1], offset: 69>>
        %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg2 : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
        %2 = affine.apply #map1()[%arg0, %arg4]
        %3 = affine.max #map2()[%sizes#0]
        %reinterpret_cast_0 = memref.reinterpret_cast %arg2 to offset: [0], sizes: [%3], strides: [1] : memref<?x4xf32> to memref<?xf32, strided<[1]>>
        memref.store %1, %reinterpret_cast_0[%2] : memref<?xf32, strided<[1]>>
      }
    }
    return
  }
}
// ===== tiles_of_open_offset | mlir-opt 22 | fold-memref-alias-ops
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
#map1 = affine_map<()[s0, s1] -> (s0 + s1)>
module {
  func.func @tiles_of_open_offset(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    scf.for %arg2 = %c0 to %dim step %c4 {
      %0 = affine.min #map(%arg2)[%dim]
      scf.for %arg3 = %c0 to %0 step %c1 {
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %1 = affine.apply #map1()[%arg2, %arg3]
          %2 = memref.load %arg0[%1, %arg4] : memref<?x16xf32>
          %3 = arith.negf %2 : f32
          %4 = affine.apply #map1()[%arg2, %arg3]
          memref.store %3, %arg1[%4, %arg4] : memref<?x16xf32>
        }
      }
    }
    return
  }
}
// ===== tiles_of_open_offset | mlir-opt 22 | expand-strided-metadata
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
#map1 = affine_map<()[s0] -> (s0 * 16)>
module {
  func.func @tiles_of_open_offset(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    scf.for %arg2 = %c0 to %dim step %c4 {
      %0 = affine.min #map(%arg2)[%dim]
      %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x16xf32> -> memref<f32>, index, index, index, index, index
      %1 = affine.apply #map1()[%arg2]
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%1], sizes: [%0, 16], strides: [16, 1] : memref<f32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
      %base_buffer_0, %offset_1, %sizes_2:2, %strides_3:2 = memref.extract_strided_metadata %arg1 : memref<?x16xf32> -> memref<f32>, index, index, index, index, index
      %2 = affine.apply #map1()[%arg2]
      %reinterpret_cast_4 = memref.reinterpret_cast %base_buffer_0 to offset: [%2], sizes: [%0, 16], strides: [16, 1] : memref<f32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
      scf.for %arg3 = %c0 to %0 step %c1 {
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %3 = memref.load %reinterpret_cast[%arg3, %arg4] : memref<?x16xf32, strided<[16, 1], offset: ?>>
          %4 = arith.negf %3 : f32
          memref.store %4, %reinterpret_cast_4[%arg3, %arg4] : memref<?x16xf32, strided<[16, 1], offset: ?>>
        }
      }
    }
    return
  }
}
// ===== tiles_of_open_offset | mlir-opt 22 | flatten-memref
#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
#map1 = affine_map<()[s0, s1] -> (s0 * 16 + s1)>
#map2 = affine_map<()[s0] -> (s0 * 16, 16)>
module {
  func.func @tiles_of_open_offset(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    scf.for %arg2 = %c0 to %dim step %c4 {
      %0 = affine.min #map(%arg2)[%dim]
      %subview = memref.subview %arg0[%arg2, 0] [%0, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
      %subview_0 = memref.subview %arg1[%arg2, 0] [%0, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
      scf.for %arg3 = %c0 to %0 step %c1 {
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %subview : memref<?x16xf32, strided<[16, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
          %1 = affine.apply #map1()[%arg3, %arg4]
          %2 = affine.max #map2()[%sizes#0]
          %reinterpret_cast = memref.reinterpret_cast %subview to offset: [%offset], sizes: [%2], strides: [1] : memref<?x16xf32, strided<[16, 1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
          %3 = memref.load %reinterpret_cast[%1] : memref<?xf32, strided<[1], offset: ?>>
          %4 = arith.negf %3 : f32
          %base_buffer_1, %offset_2, %sizes_3:2, %strides_4:2 = memref.extract_strided_metadata %subview_0 : memref<?x16xf32, strided<[16, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
          %5 = affine.apply #map1()[%arg3, %arg4]
          %6 = affine.max #map2()[%sizes_3#0]
          %reinterpret_cast_5 = memref.reinterpret_cast %subview_0 to offset: [%offset_2], sizes: [%6], strides: [1] : memref<?x16xf32, strided<[16, 1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
          memref.store %4, %reinterpret_cast_5[%5] : memref<?xf32, strided<[1], offset: ?>>
        }
      }
    }
    return
  }
}
// ===== tiles_of_open_offset | mlir-opt 22 | canonicalize
#map = affine_map<(d0)[s0] -> (-d0 + s0, 4)>
module {
  func.func @tiles_of_open_offset(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    scf.for %arg2 = %c0 to %dim step %c4 {
      %0 = affine.min #map(%arg2)[%dim]
      %subview = memref.subview %arg0[%arg2, 0] [%0, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
      %subview_0 = memref.subview %arg1[%arg2, 0] [%0, 16] [1, 1] : memref<?x16xf32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
      scf.for %arg3 = %c0 to %0 step %c1 {
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %1 = memref.load %subview[%arg3, %arg4] : memref<?x16xf32, strided<[16, 1], offset: ?>>
          %2 = arith.negf %1 : f32
          memref.store %2, %subview_0[%arg3, %arg4] : memref<?x16xf32, strided<[16, 1], offset: ?>>
        }
      }
    }
    return
  }
}
// ===== tiles_of_open_offset | mlir-opt 22 | expand-strided-metadata,lower-affine
module {
  func.func @tiles_of_open_offset(%arg0: memref<?x16xf32>, %arg1: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c16 = arith.constant 16 : index
    %dim = memref.dim %arg0, %c0 : memref<?x16xf32>
    scf.for %arg2 = %c0 to %dim step %c4 {
      %c4_0 = arith.constant 4 : index
      %c-1 = arith.constant -1 : index
      %0 = arith.muli %arg2, %c-1 overflow<nsw> : index
      %1 = arith.addi %0, %dim : index
      %2 = arith.minsi %c4_0, %1 : index
      %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x16xf32> -> memref<f32>, index, index, index, index, index
      %c16_1 = arith.constant 16 : index
      %3 = arith.muli %arg2, %c16_1 overflow<nsw> : index
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%3], sizes: [%2, 16], strides: [16, 1] : memref<f32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
      %base_buffer_2, %offset_3, %sizes_4:2, %strides_5:2 = memref.extract_strided_metadata %arg1 : memref<?x16xf32> -> memref<f32>, index, index, index, index, index
      %c16_6 = arith.constant 16 : index
      %4 = arith.muli %arg2, %c16_6 overflow<nsw> : index
      %reinterpret_cast_7 = memref.reinterpret_cast %base_buffer_2 to offset: [%4], sizes: [%2, 16], strides: [16, 1] : memref<f32> to memref<?x16xf32, strided<[16, 1], offset: ?>>
      scf.for %arg3 = %c0 to %2 step %c1 {
        scf.for %arg4 = %c0 to %c16 step %c1 {
          %5 = memref.load %reinterpret_cast[%arg3, %arg4] : memref<?x16xf32, strided<[16, 1], offset: ?>>
          %6 = arith.negf %5 : f32
          memref.store %6, %reinterpret_cast_7[%arg3, %arg4] : memref<?x16xf32, strided<[16, 1], offset: ?>>
        }
      }
    }
    return
  }
}
// ===== view_of_a_view | mlir-opt 22 | fold-memref-alias-ops
#map = affine_map<()[s0] -> (s0 * 2 + 4)>
#map1 = affine_map<()[s0] -> (s0 + 6)>
module {
  func.func @view_of_a_view(%arg0: memref<20x20xi32>, %arg1: memref<5xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    scf.for %arg2 = %c0 to %c5 step %c1 {
      %0 = affine.apply #map()[%arg2]
      %1 = affine.apply #map1()[%arg2]
      %2 = memref.load %arg0[%0, %1] : memref<20x20xi32>
      memref.store %2, %arg1[%arg2] : memref<5xi32>
    }
    return
  }
}
// ===== view_of_a_view | mlir-opt 22 | expand-strided-metadata
module {
  func.func @view_of_a_view(%arg0: memref<20x20xi32>, %arg1: memref<5xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<20x20xi32> -> memref<i32>, index, index, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [86], sizes: [5, 5], strides: [40, 1] : memref<i32> to memref<5x5xi32, strided<[40, 1], offset: 86>>
    scf.for %arg2 = %c0 to %c5 step %c1 {
      %0 = memref.load %reinterpret_cast[%arg2, %arg2] : memref<5x5xi32, strided<[40, 1], offset: 86>>
      memref.store %0, %arg1[%arg2] : memref<5xi32>
    }
    return
  }
}
// ===== view_of_a_view | mlir-opt 22 | flatten-memref
#map = affine_map<()[s0] -> (s0 * 41)>
module {
  func.func @view_of_a_view(%arg0: memref<20x20xi32>, %arg1: memref<5xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %subview = memref.subview %arg0[3, 2] [10, 10] [1, 1] : memref<20x20xi32> to memref<10x10xi32, strided<[20, 1], offset: 62>>
    %subview_0 = memref.subview %subview[1, 4] [5, 5] [2, 1] : memref<10x10xi32, strided<[20, 1], offset: 62>> to memref<5x5xi32, strided<[40, 1], offset: 86>>
    scf.for %arg2 = %c0 to %c5 step %c1 {
      %0 = affine.apply #map()[%arg2]
      %reinterpret_cast = memref.reinterpret_cast %subview_0 to offset: [86], sizes: [200], strides: [1] : memref<5x5xi32, strided<[40, 1], offset: 86>> to memref<200xi32, strided<[1], offset: 86>>
      %1 = memref.load %reinterpret_cast[%0] : memref<200xi32, strided<[1], offset: 86>>
      memref.store %1, %arg1[%arg2] : memref<5xi32>
    }
    return
  }
}
// ===== view_that_drops_a_dimension | mlir-opt 22 | expand-strided-metadata
#map = affine_map<()[s0] -> (s0 * 8)>
module {
  func.func @view_that_drops_a_dimension(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<8xf32>) {
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x8xf32> -> memref<f32>, index, index, index, index, index
    %0 = affine.apply #map()[%arg0]
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32, strided<[1], offset: ?>>
    affine.for %arg3 = 0 to 8 {
      %1 = affine.load %reinterpret_cast[%arg3] : memref<8xf32, strided<[1], offset: ?>>
      affine.store %1, %arg2[-%arg3 + 7] : memref<8xf32>
    }
    return
  }
}
// ===== view_that_drops_a_dimension | mlir-opt 22 | expand-strided-metadata,lower-affine
module {
  func.func @view_that_drops_a_dimension(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<8xf32>) {
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x8xf32> -> memref<f32>, index, index, index, index, index
    %c8 = arith.constant 8 : index
    %0 = arith.muli %arg0, %c8 overflow<nsw> : index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [8], strides: [1] : memref<f32> to memref<8xf32, strided<[1], offset: ?>>
    %c0 = arith.constant 0 : index
    %c8_0 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %c8_0 step %c1 {
      %1 = memref.load %reinterpret_cast[%arg3] : memref<8xf32, strided<[1], offset: ?>>
      %c-1 = arith.constant -1 : index
      %2 = arith.muli %arg3, %c-1 overflow<nsw> : index
      %c7 = arith.constant 7 : index
      %3 = arith.addi %2, %c7 : index
      memref.store %1, %arg2[%3] : memref<8xf32>
    }
    return
  }
}
// ===== view_that_drops_a_dimension | mlir-opt 22 | affine-fold-memref-alias-ops
module {
  func.func @view_that_drops_a_dimension(%arg0: index, %arg1: memref<?x8xf32>, %arg2: memref<8xf32>) {
    affine.for %arg3 = 0 to 8 {
      %0 = affine.load %arg1[%arg0, %arg3] : memref<?x8xf32>
      affine.store %0, %arg2[-%arg3 + 7] : memref<8xf32>
    }
    return
  }
}
// ===== split_dimension | mlir-opt 22 | expand-strided-metadata
module {
  func.func @split_dimension(%arg0: memref<24xf32>, %arg1: memref<4x6xf32>) {
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<24xf32> -> memref<f32>, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [4, 6], strides: [6, 1] : memref<f32> to memref<4x6xf32>
    affine.for %arg2 = 0 to 4 {
      affine.for %arg3 = 0 to 6 {
        %0 = affine.load %reinterpret_cast[%arg2, %arg3] : memref<4x6xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<4x6xf32>
      }
    }
    return
  }
}
// ===== split_dimension | mlir-opt 22 | expand-strided-metadata,lower-affine
module {
  func.func @split_dimension(%arg0: memref<24xf32>, %arg1: memref<4x6xf32>) {
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg0 : memref<24xf32> -> memref<f32>, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [4, 6], strides: [6, 1] : memref<f32> to memref<4x6xf32>
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c6 = arith.constant 6 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg3 = %c0_0 to %c6 step %c1_1 {
        %0 = memref.load %reinterpret_cast[%arg2, %arg3] : memref<4x6xf32>
        memref.store %0, %arg1[%arg2, %arg3] : memref<4x6xf32>
      }
    }
    return
  }
}
// ===== split_dimension | mlir-opt 22 | affine-fold-memref-alias-ops
module {
  func.func @split_dimension(%arg0: memref<24xf32>, %arg1: memref<4x6xf32>) {
    affine.for %arg2 = 0 to 4 {
      affine.for %arg3 = 0 to 6 {
        %0 = affine.linearize_index disjoint [%arg2, %arg3] by (4, 6) : index
        %1 = affine.load %arg0[%0] : memref<24xf32>
        affine.store %1, %arg1[%arg2, %arg3] : memref<4x6xf32>
      }
    }
    return
  }
}
// ===== split_open_dimension | mlir-opt 22 | expand-strided-metadata
module {
  func.func @split_open_dimension(%arg0: index, %arg1: memref<?x12xf32>, %arg2: memref<?x3x4xf32>) {
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x12xf32> -> memref<f32>, index, index, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%sizes#0, 3, 4], strides: [12, 4, 1] : memref<f32> to memref<?x3x4xf32>
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 3 {
        affine.for %arg5 = 0 to 4 {
          %0 = affine.load %reinterpret_cast[%arg3, %arg4, %arg5] : memref<?x3x4xf32>
          affine.store %0, %arg2[%arg3, -%arg4 + 2, %arg5] : memref<?x3x4xf32>
        }
      }
    }
    return
  }
}
// ===== split_open_dimension | mlir-opt 22 | expand-strided-metadata,lower-affine
module {
  func.func @split_open_dimension(%arg0: index, %arg1: memref<?x12xf32>, %arg2: memref<?x3x4xf32>) {
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x12xf32> -> memref<f32>, index, index, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%sizes#0, 3, 4], strides: [12, 4, 1] : memref<f32> to memref<?x3x4xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg4 = %c0_0 to %c3 step %c1_1 {
        %c0_2 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %c1_3 = arith.constant 1 : index
        scf.for %arg5 = %c0_2 to %c4 step %c1_3 {
          %0 = memref.load %reinterpret_cast[%arg3, %arg4, %arg5] : memref<?x3x4xf32>
          %c-1 = arith.constant -1 : index
          %1 = arith.muli %arg4, %c-1 overflow<nsw> : index
          %c2 = arith.constant 2 : index
          %2 = arith.addi %1, %c2 : index
          memref.store %0, %arg2[%arg3, %2, %arg5] : memref<?x3x4xf32>
        }
      }
    }
    return
  }
}
// ===== split_open_dimension | mlir-opt 22 | affine-fold-memref-alias-ops
module {
  func.func @split_open_dimension(%arg0: index, %arg1: memref<?x12xf32>, %arg2: memref<?x3x4xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 3 {
        affine.for %arg5 = 0 to 4 {
          %0 = affine.linearize_index disjoint [%arg4, %arg5] by (3, 4) : index
          %1 = affine.load %arg1[%arg3, %0] : memref<?x12xf32>
          affine.store %1, %arg2[%arg3, -%arg4 + 2, %arg5] : memref<?x3x4xf32>
        }
      }
    }
    return
  }
}
// ===== split_open_dimension | iree-opt 24 | expand-strided-metadata
module {
  func.func @split_open_dimension(%arg0: index, %arg1: memref<?x12xf32>, %arg2: memref<?x3x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?x12xf32>
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x12xf32> -> memref<f32>, index, index, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%dim, 3, 4], strides: [12, 4, 1] : memref<f32> to memref<?x3x4xf32>
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 3 {
        affine.for %arg5 = 0 to 4 {
          %0 = affine.load %reinterpret_cast[%arg3, %arg4, %arg5] : memref<?x3x4xf32>
          affine.store %0, %arg2[%arg3, -%arg4 + 2, %arg5] : memref<?x3x4xf32>
        }
      }
    }
    return
  }
}
// ===== split_open_dimension | iree-opt 24 | expand-strided-metadata,lower-affine
module {
  func.func @split_open_dimension(%arg0: index, %arg1: memref<?x12xf32>, %arg2: memref<?x3x4xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg1, %c0 : memref<?x12xf32>
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x12xf32> -> memref<f32>, index, index, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%dim, 3, 4], strides: [12, 4, 1] : memref<f32> to memref<?x3x4xf32>
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0_0 to %arg0 step %c1 {
      %c0_1 = arith.constant 0 : index
      %c3 = arith.constant 3 : index
      %c1_2 = arith.constant 1 : index
      scf.for %arg4 = %c0_1 to %c3 step %c1_2 {
        %c0_3 = arith.constant 0 : index
        %c4 = arith.constant 4 : index
        %c1_4 = arith.constant 1 : index
        scf.for %arg5 = %c0_3 to %c4 step %c1_4 {
          %0 = memref.load %reinterpret_cast[%arg3, %arg4, %arg5] : memref<?x3x4xf32>
          %c-1 = arith.constant -1 : index
          %1 = arith.muli %arg4, %c-1 overflow<nsw> : index
          %c2 = arith.constant 2 : index
          %2 = arith.addi %1, %c2 : index
          memref.store %0, %arg2[%arg3, %2, %arg5] : memref<?x3x4xf32>
        }
      }
    }
    return
  }
}
// ===== merged_dimensions | mlir-opt 22 | expand-strided-metadata
module {
  func.func @merged_dimensions(%arg0: index, %arg1: memref<?x3x4xf32>, %arg2: memref<?x12xf32>) {
    %base_buffer, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %arg1 : memref<?x3x4xf32> -> memref<f32>, index, index, index, index, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%sizes#0, 12], strides: [12, 1] : memref<f32> to memref<?x12xf32>
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 12 {
        %0 = affine.load %reinterpret_cast[%arg3, %arg4] : memref<?x12xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg2[%arg3, %arg4] : memref<?x12xf32>
      }
    }
    return
  }
}
// ===== merged_dimensions | mlir-opt 22 | expand-strided-metadata,lower-affine
module {
  func.func @merged_dimensions(%arg0: index, %arg1: memref<?x3x4xf32>, %arg2: memref<?x12xf32>) {
    %base_buffer, %offset, %sizes:3, %strides:3 = memref.extract_strided_metadata %arg1 : memref<?x3x4xf32> -> memref<f32>, index, index, index, index, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [0], sizes: [%sizes#0, 12], strides: [12, 1] : memref<f32> to memref<?x12xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c12 = arith.constant 12 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg4 = %c0_0 to %c12 step %c1_1 {
        %0 = memref.load %reinterpret_cast[%arg3, %arg4] : memref<?x12xf32>
        %1 = arith.mulf %0, %0 : f32
        memref.store %1, %arg2[%arg3, %arg4] : memref<?x12xf32>
      }
    }
    return
  }
}
// ===== merged_dimensions | mlir-opt 22 | affine-fold-memref-alias-ops
module {
  func.func @merged_dimensions(%arg0: index, %arg1: memref<?x3x4xf32>, %arg2: memref<?x12xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 12 {
        %0:2 = affine.delinearize_index %arg4 into (3, 4) : index, index
        %1 = affine.load %arg1[%arg3, %0#0, %0#1] : memref<?x3x4xf32>
        %2 = arith.mulf %1, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x12xf32>
      }
    }
    return
  }
}
// ===== store_into_a_view | mlir-opt 22 | expand-strided-metadata
#map = affine_map<()[s0] -> (s0 * 16 + 3)>
module {
  func.func @store_into_a_view(%arg0: index, %arg1: memref<?x16xf32>, %arg2: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x16xf32> -> memref<f32>, index, index, index, index, index
      %0 = affine.apply #map()[%arg3]
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [1, 6], strides: [16, 2] : memref<f32> to memref<1x6xf32, strided<[16, 2], offset: ?>>
      affine.for %arg4 = 0 to 6 {
        affine.store %arg2, %reinterpret_cast[0, %arg4] : memref<1x6xf32, strided<[16, 2], offset: ?>>
      }
    }
    return
  }
}
// ===== store_into_a_view | mlir-opt 22 | expand-strided-metadata,lower-affine
module {
  func.func @store_into_a_view(%arg0: index, %arg1: memref<?x16xf32>, %arg2: f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x16xf32> -> memref<f32>, index, index, index, index, index
      %c16 = arith.constant 16 : index
      %0 = arith.muli %arg3, %c16 overflow<nsw> : index
      %c3 = arith.constant 3 : index
      %1 = arith.addi %0, %c3 : index
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%1], sizes: [1, 6], strides: [16, 2] : memref<f32> to memref<1x6xf32, strided<[16, 2], offset: ?>>
      %c0_0 = arith.constant 0 : index
      %c6 = arith.constant 6 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg4 = %c0_0 to %c6 step %c1_1 {
        %c0_2 = arith.constant 0 : index
        memref.store %arg2, %reinterpret_cast[%c0_2, %arg4] : memref<1x6xf32, strided<[16, 2], offset: ?>>
      }
    }
    return
  }
}
// ===== reinterpreted_rows | mlir-opt 22 | normalize-memrefs
module {
  func.func @reinterpreted_rows(%arg0: memref<24xf32>, %arg1: memref<3x4xf32>) {
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [23], strides: [1] : memref<24xf32> to memref<23xf32>
    affine.for %arg2 = 0 to 3 {
      affine.for %arg3 = 0 to 4 {
        %0 = affine.load %reinterpret_cast[%arg2 * 7 + %arg3 * 2 + 2] : memref<23xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<3x4xf32>
      }
    }
    return
  }
}
// ===== reinterpreted_rows | mlir-opt 22 | expand-strided-metadata,lower-affine
module {
  func.func @reinterpreted_rows(%arg0: memref<24xf32>, %arg1: memref<3x4xf32>) {
    %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [2], sizes: [3, 4], strides: [7, 2] : memref<24xf32> to memref<3x4xf32, strided<[7, 2], offset: 2>>
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c3 step %c1 {
      %c0_0 = arith.constant 0 : index
      %c4 = arith.constant 4 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg3 = %c0_0 to %c4 step %c1_1 {
        %0 = memref.load %reinterpret_cast[%arg2, %arg3] : memref<3x4xf32, strided<[7, 2], offset: 2>>
        memref.store %0, %arg1[%arg2, %arg3] : memref<3x4xf32>
      }
    }
    return
  }
}
// ===== transposed_layout | mlir-opt 22 | normalize-memrefs
#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (-d1 + 8)>
module {
  func.func @transposed_layout(%arg0: memref<6x9xf32>, %arg1: memref<6x9xf32>) {
    %alloc = memref.alloc() : memref<9x6xf32>
    affine.for %arg2 = 0 to 6 {
      affine.for %arg3 = 0 to 9 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<6x9xf32>
        affine.store %0, %alloc[%arg3, %arg2] : memref<9x6xf32>
      }
    }
    affine.for %arg2 = 0 to 6 {
      affine.for %arg3 = 0 to 9 {
        %0 = affine.apply #map(%arg2, %arg3)
        %1 = affine.apply #map1(%arg2, %arg3)
        %2 = affine.load %alloc[-%arg3 + 8, %arg2] : memref<9x6xf32>
        affine.store %2, %arg1[%arg2, %arg3] : memref<6x9xf32>
      }
    }
    memref.dealloc %alloc : memref<9x6xf32>
    return
  }
}
// ===== transposed_layout | mlir-opt 22 | expand-strided-metadata,lower-affine
#map = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @transposed_layout(%arg0: memref<6x9xf32>, %arg1: memref<6x9xf32>) {
    %alloc = memref.alloc() : memref<6x9xf32, #map>
    %c0 = arith.constant 0 : index
    %c6 = arith.constant 6 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c6 step %c1 {
      %c0_3 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      %c1_4 = arith.constant 1 : index
      scf.for %arg3 = %c0_3 to %c9 step %c1_4 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<6x9xf32>
        memref.store %0, %alloc[%arg2, %arg3] : memref<6x9xf32, #map>
      }
    }
    %c0_0 = arith.constant 0 : index
    %c6_1 = arith.constant 6 : index
    %c1_2 = arith.constant 1 : index
    scf.for %arg2 = %c0_0 to %c6_1 step %c1_2 {
      %c0_3 = arith.constant 0 : index
      %c9 = arith.constant 9 : index
      %c1_4 = arith.constant 1 : index
      scf.for %arg3 = %c0_3 to %c9 step %c1_4 {
        %c-1 = arith.constant -1 : index
        %0 = arith.muli %arg3, %c-1 overflow<nsw> : index
        %c8 = arith.constant 8 : index
        %1 = arith.addi %0, %c8 : index
        %2 = memref.load %alloc[%arg2, %1] : memref<6x9xf32, #map>
        memref.store %2, %arg1[%arg2, %arg3] : memref<6x9xf32>
      }
    }
    memref.dealloc %alloc : memref<6x9xf32, #map>
    return
  }
}
// ===== tiled_layout | mlir-opt 22 | normalize-memrefs
#map = affine_map<(d0) -> (-d0 + 31)>
module {
  func.func @tiled_layout(%arg0: index, %arg1: memref<?x32xf32>, %arg2: memref<?x32xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %alloc = memref.alloc() : memref<4x8xf32>
      affine.for %arg4 = 0 to 32 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x32xf32>
        affine.store %0, %alloc[%arg4 floordiv 8, %arg4 mod 8] : memref<4x8xf32>
      }
      affine.for %arg4 = 0 to 32 {
        %0 = affine.apply #map(%arg4)
        %1 = affine.load %alloc[(-%arg4 + 31) floordiv 8, -%arg4 - ((-%arg4 + 31) floordiv 8) * 8 + 31] : memref<4x8xf32>
        affine.store %1, %arg2[%arg3, %arg4] : memref<?x32xf32>
      }
    }
    return
  }
}
// ===== tiled_layout | mlir-opt 22 | expand-strided-metadata,lower-affine
#map = affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>
module {
  func.func @tiled_layout(%arg0: index, %arg1: memref<?x32xf32>, %arg2: memref<?x32xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %alloc = memref.alloc() : memref<32xf32, #map>
      %c0_0 = arith.constant 0 : index
      %c32 = arith.constant 32 : index
      %c1_1 = arith.constant 1 : index
      scf.for %arg4 = %c0_0 to %c32 step %c1_1 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x32xf32>
        memref.store %0, %alloc[%arg4] : memref<32xf32, #map>
      }
      %c0_2 = arith.constant 0 : index
      %c32_3 = arith.constant 32 : index
      %c1_4 = arith.constant 1 : index
      scf.for %arg4 = %c0_2 to %c32_3 step %c1_4 {
        %c-1 = arith.constant -1 : index
        %0 = arith.muli %arg4, %c-1 overflow<nsw> : index
        %c31 = arith.constant 31 : index
        %1 = arith.addi %0, %c31 : index
        %2 = memref.load %alloc[%1] : memref<32xf32, #map>
        memref.store %2, %arg2[%arg3, %arg4] : memref<?x32xf32>
      }
    }
    return
  }
}
// ===== tiled_layout | mlir-opt 22 | promote-buffers-to-stack,buffer-loop-hoisting
#map = affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>
module {
  func.func @tiled_layout(%arg0: index, %arg1: memref<?x32xf32>, %arg2: memref<?x32xf32>) {
    %alloca = memref.alloca() : memref<32xf32, #map>
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 32 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x32xf32>
        affine.store %0, %alloca[%arg4] : memref<32xf32, #map>
      }
      affine.for %arg4 = 0 to 32 {
        %0 = affine.load %alloca[-%arg4 + 31] : memref<32xf32, #map>
        affine.store %0, %arg2[%arg3, %arg4] : memref<?x32xf32>
      }
    }
    return
  }
}
// ===== strided_layout | mlir-opt 22 | normalize-memrefs
module {
  func.func @strided_layout(%arg0: memref<16xf32>, %arg1: memref<16xf32>) {
    %alloc = memref.alloc() : memref<34xf32>
    affine.for %arg2 = 0 to 16 {
      %0 = affine.load %arg0[%arg2] : memref<16xf32>
      affine.store %0, %alloc[%arg2 * 2 + 3] : memref<34xf32>
    }
    affine.for %arg2 = 0 to 16 {
      %0 = affine.load %alloc[%arg2 * 2 + 3] : memref<34xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %arg1[%arg2] : memref<16xf32>
    }
    return
  }
}
// ===== strided_layout | mlir-opt 22 | expand-strided-metadata,lower-affine
#map = affine_map<(d0) -> (d0 * 2 + 3)>
module {
  func.func @strided_layout(%arg0: memref<16xf32>, %arg1: memref<16xf32>) {
    %alloc = memref.alloc() : memref<16xf32, #map>
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c1 = arith.constant 1 : index
    scf.for %arg2 = %c0 to %c16 step %c1 {
      %0 = memref.load %arg0[%arg2] : memref<16xf32>
      memref.store %0, %alloc[%arg2] : memref<16xf32, #map>
    }
    %c0_0 = arith.constant 0 : index
    %c16_1 = arith.constant 16 : index
    %c1_2 = arith.constant 1 : index
    scf.for %arg2 = %c0_0 to %c16_1 step %c1_2 {
      %0 = memref.load %alloc[%arg2] : memref<16xf32, #map>
      %1 = arith.addf %0, %0 : f32
      memref.store %1, %arg1[%arg2] : memref<16xf32>
    }
    return
  }
}
// ===== strided_layout | mlir-opt 22 | promote-buffers-to-stack,buffer-loop-hoisting
#map = affine_map<(d0) -> (d0 * 2 + 3)>
module {
  func.func @strided_layout(%arg0: memref<16xf32>, %arg1: memref<16xf32>) {
    %alloca = memref.alloca() : memref<16xf32, #map>
    affine.for %arg2 = 0 to 16 {
      %0 = affine.load %arg0[%arg2] : memref<16xf32>
      affine.store %0, %alloca[%arg2] : memref<16xf32, #map>
    }
    affine.for %arg2 = 0 to 16 {
      %0 = affine.load %alloca[%arg2] : memref<16xf32, #map>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %arg1[%arg2] : memref<16xf32>
    }
    return
  }
}
// ===== cell_becomes_a_value | mlir-opt 22 | mem2reg
module {
  func.func @cell_becomes_a_value(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
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
// ===== cell_becomes_a_value | mlir-opt 22 | promote-buffers-to-stack,buffer-loop-hoisting
module {
  func.func @cell_becomes_a_value(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %alloca = memref.alloca() : memref<f32>
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %arg1[%arg3] : memref<?xf32>
      memref.store %0, %alloca[] : memref<f32>
      %1 = memref.load %alloca[] : memref<f32>
      %2 = arith.mulf %1, %0 : f32
      memref.store %2, %alloca[] : memref<f32>
      %3 = memref.load %alloca[] : memref<f32>
      memref.store %3, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== sum_in_a_cell | mlir-opt 22 | scf-for-loop-peeling{peel-front}
module {
  func.func @sum_in_a_cell(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.000000e+00 : f32
    %alloca = memref.alloca() : memref<f32>
    memref.store %cst, %alloca[] : memref<f32>
    scf.for %arg3 = %c0 to %c1 step %c1 {
      %1 = memref.load %arg1[%arg3] : memref<?xf32>
      %2 = memref.load %alloca[] : memref<f32>
      %3 = arith.addf %2, %1 : f32
      memref.store %3, %alloca[] : memref<f32>
    }
    scf.for %arg3 = %c1 to %arg0 step %c1 {
      %1 = memref.load %arg1[%arg3] : memref<?xf32>
      %2 = memref.load %alloca[] : memref<f32>
      %3 = arith.addf %2, %1 : f32
      memref.store %3, %alloca[] : memref<f32>
    }
    %0 = memref.load %alloca[] : memref<f32>
    memref.store %0, %arg2[%c0] : memref<1xf32>
    return
  }
}
// ===== sum_in_a_cell | mlir-opt 22 | sccp
module {
  func.func @sum_in_a_cell(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<1xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %alloca = memref.alloca() : memref<f32>
    memref.store %cst, %alloca[] : memref<f32>
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %1 = memref.load %arg1[%arg3] : memref<?xf32>
      %2 = memref.load %alloca[] : memref<f32>
      %3 = arith.addf %2, %1 : f32
      memref.store %3, %alloca[] : memref<f32>
    }
    %0 = memref.load %alloca[] : memref<f32>
    memref.store %0, %arg2[%c0] : memref<1xf32>
    return
  }
}
// ===== buffer_of_each_iteration | mlir-opt 22 | flatten-memref
#map = affine_map<()[s0, s1] -> (s0 * 6 + s1)>
#map1 = affine_map<()[s0] -> (s0 * 6, 6)>
module {
  func.func @buffer_of_each_iteration(%arg0: index, %arg1: memref<?x6xf32>, %arg2: memref<?x6xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %alloc = memref.alloc() : memref<6xf32>
      scf.for %arg4 = %c0 to %c6 step %c1 {
        %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg1 : memref<?x6xf32> -> memref<f32>, index, index, index, index, index
        %0 = affine.apply #map()[%arg3, %arg4]
        %1 = affine.max #map1()[%sizes#0]
        %reinterpret_cast = memref.reinterpret_cast %arg1 to offset: [0], sizes: [%1], strides: [1] : memref<?x6xf32> to memref<?xf32, strided<[1]>>
        %2 = memref.load %reinterpret_cast[%0] : memref<?xf32, strided<[1]>>
        memref.store %2, %alloc[%arg4] : memref<6xf32>
      }
      scf.for %arg4 = %c0 to %c6 step %c1 {
        %0 = arith.subi %c5, %arg4 : index
        %1 = memref.load %alloc[%0] : memref<6xf32>
        %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg2 : memref<?x6xf32> -> memref<f32>, index, index, index, index, index
        %2 = affine.apply #map()[%arg3, %arg4]
        %3 = affine.max #map1()[%sizes#0]
        %reinterpret_cast = memref.reinterpret_cast %arg2 to offset: [0], sizes: [%3], strides: [1] : memref<?x6xf32> to memref<?xf32, strided<[1]>>
        memref.store %1, %reinterpret_cast[%2] : memref<?xf32, strided<[1]>>
      }
      memref.dealloc %alloc : memref<6xf32>
    }
    return
  }
}
// ===== buffer_of_each_iteration | mlir-opt 22 | promote-buffers-to-stack,buffer-loop-hoisting
module {
  func.func @buffer_of_each_iteration(%arg0: index, %arg1: memref<?x6xf32>, %arg2: memref<?x6xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %alloc = memref.alloc() : memref<6xf32>
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      scf.for %arg4 = %c0 to %c6 step %c1 {
        %0 = memref.load %arg1[%arg3, %arg4] : memref<?x6xf32>
        memref.store %0, %alloc[%arg4] : memref<6xf32>
      }
      scf.for %arg4 = %c0 to %c6 step %c1 {
        %0 = arith.subi %c5, %arg4 : index
        %1 = memref.load %alloc[%0] : memref<6xf32>
        memref.store %1, %arg2[%arg3, %arg4] : memref<?x6xf32>
      }
      memref.dealloc %alloc : memref<6xf32>
    }
    return
  }
}
// ===== size_of_a_view | mlir-opt 22 | fold-memref-alias-ops
#map = affine_map<()[s0] -> (s0 + 1)>
module {
  func.func @size_of_a_view(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = affine.apply #map()[%arg3]
      %1 = memref.load %arg1[%0] : memref<?xf32>
      memref.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== size_of_a_view | mlir-opt 22 | expand-strided-metadata
module {
  func.func @size_of_a_view(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %base_buffer, %offset, %sizes, %strides = memref.extract_strided_metadata %arg1 : memref<?xf32> -> memref<f32>, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [1], sizes: [%arg0], strides: [1] : memref<f32> to memref<?xf32, strided<[1], offset: 1>>
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %reinterpret_cast[%arg3] : memref<?xf32, strided<[1], offset: 1>>
      memref.store %0, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== size_of_a_view | mlir-opt 22 | flatten-memref
module {
  func.func @size_of_a_view(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %subview = memref.subview %arg1[1] [%arg0] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
    scf.for %arg3 = %c0 to %arg0 step %c1 {
      %0 = memref.load %subview[%arg3] : memref<?xf32, strided<[1], offset: 1>>
      memref.store %0, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== cast_to_an_open_size | mlir-opt 22 | fold-memref-alias-ops
module {
  func.func @cast_to_an_open_size(%arg0: memref<8x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %dim = memref.dim %arg0, %c1 : memref<8x?xf32>
    scf.for %arg2 = %c0 to %c8 step %c1 {
      scf.for %arg3 = %c0 to %dim step %c1 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<8x?xf32>
        memref.store %0, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== cast_to_an_open_size | mlir-opt 22 | flatten-memref
#map = affine_map<()[s0, s1, s2] -> (s0 * s1 + s2)>
#map1 = affine_map<()[s0, s1] -> (s0 * 8, s1)>
#map2 = affine_map<()[s0, s1, s2] -> (s0 * s1, s2)>
module {
  func.func @cast_to_an_open_size(%arg0: memref<8x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %dim = memref.dim %arg0, %c1 : memref<8x?xf32>
    scf.for %arg2 = %c0 to %c8 step %c1 {
      scf.for %arg3 = %c0 to %dim step %c1 {
        %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<8x?xf32> -> memref<f32>, index, index, index, index, index
        %0 = affine.apply #map()[%arg2, %strides#0, %arg3]
        %1 = affine.max #map1()[%strides#0, %sizes#1]
        %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%1], strides: [1] : memref<8x?xf32> to memref<?xf32, strided<[1]>>
        %2 = memref.load %reinterpret_cast[%0] : memref<?xf32, strided<[1]>>
        %base_buffer_0, %offset_1, %sizes_2:2, %strides_3:2 = memref.extract_strided_metadata %arg1 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
        %3 = affine.apply #map()[%arg2, %strides_3#0, %arg3]
        %4 = affine.max #map2()[%strides_3#0, %sizes_2#0, %sizes_2#1]
        %reinterpret_cast_4 = memref.reinterpret_cast %arg1 to offset: [0], sizes: [%4], strides: [1] : memref<?x?xf32> to memref<?xf32, strided<[1]>>
        memref.store %2, %reinterpret_cast_4[%3] : memref<?xf32, strided<[1]>>
      }
    }
    return
  }
}
// ===== flat_accesses | mlir-opt 22 | flatten-memref
#map = affine_map<()[s0, s1] -> (s0 * 8 + s1)>
module {
  func.func @flat_accesses(%arg0: memref<6x8xf32>, %arg1: memref<6x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %alloc = memref.alloc() : memref<48xf32, strided<[1]>>
    scf.for %arg2 = %c0 to %c6 step %c1 {
      scf.for %arg3 = %c0 to %c8 step %c1 {
        %0 = affine.apply #map()[%arg2, %arg3]
        %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [48], strides: [1] : memref<6x8xf32> to memref<48xf32, strided<[1]>>
        %1 = memref.load %reinterpret_cast[%0] : memref<48xf32, strided<[1]>>
        %2 = affine.apply #map()[%arg2, %arg3]
        memref.store %1, %alloc[%2] : memref<48xf32, strided<[1]>>
      }
    }
    scf.for %arg2 = %c0 to %c6 step %c1 {
      scf.for %arg3 = %c0 to %c8 step %c1 {
        %0 = affine.apply #map()[%arg2, %arg3]
        %1 = memref.load %alloc[%0] : memref<48xf32, strided<[1]>>
        %2 = arith.negf %1 : f32
        %3 = affine.apply #map()[%arg2, %arg3]
        %reinterpret_cast = memref.reinterpret_cast %arg1 to offset: [0], sizes: [48], strides: [1] : memref<6x8xf32> to memref<48xf32, strided<[1]>>
        memref.store %2, %reinterpret_cast[%3] : memref<48xf32, strided<[1]>>
      }
    }
    return
  }
}
// ===== flat_accesses | mlir-opt 22 | promote-buffers-to-stack,buffer-loop-hoisting
module {
  func.func @flat_accesses(%arg0: memref<6x8xf32>, %arg1: memref<6x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c6 = arith.constant 6 : index
    %c8 = arith.constant 8 : index
    %alloca = memref.alloca() : memref<6x8xf32>
    scf.for %arg2 = %c0 to %c6 step %c1 {
      scf.for %arg3 = %c0 to %c8 step %c1 {
        %0 = memref.load %arg0[%arg2, %arg3] : memref<6x8xf32>
        memref.store %0, %alloca[%arg2, %arg3] : memref<6x8xf32>
      }
    }
    scf.for %arg2 = %c0 to %c6 step %c1 {
      scf.for %arg3 = %c0 to %c8 step %c1 {
        %0 = memref.load %alloca[%arg2, %arg3] : memref<6x8xf32>
        %1 = arith.negf %0 : f32
        memref.store %1, %arg1[%arg2, %arg3] : memref<6x8xf32>
      }
    }
    return
  }
}
