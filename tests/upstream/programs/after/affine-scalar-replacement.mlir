// ===== store_then_load | mlir-opt 22 | affine-scalrep
module {
  func.func @store_then_load(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim {
      %0 = affine.load %arg0[%arg2] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== store_then_load | mlir-opt 22 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @store_then_load(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to #map()[%dim] step 2 {
      %0 = affine.load %arg0[%arg2] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg1[%arg2] : memref<?xf32>
      %3 = affine.apply #map1(%arg2)
      %4 = affine.load %arg0[%3] : memref<?xf32>
      %5 = arith.mulf %4, %4 : f32
      %6 = arith.addf %5, %4 : f32
      affine.store %6, %arg1[%3] : memref<?xf32>
    }
    affine.for %arg2 = #map()[%dim] to %dim {
      %0 = affine.load %arg0[%arg2] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== store_then_load | iree-opt 24 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @store_then_load(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to #map()[%dim] step 2 {
      %0 = affine.load %arg0[%arg2] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg1[%arg2] : memref<?xf32>
      %3 = affine.apply #map1(%arg2)
      %4 = affine.load %arg0[%3] : memref<?xf32>
      %5 = arith.mulf %4, %4 : f32
      %6 = arith.addf %5, %4 : f32
      affine.store %6, %arg1[%3] : memref<?xf32>
    }
    affine.for %arg2 = max #map2()[%dim] to %dim {
      %0 = affine.load %arg0[%arg2] : memref<?xf32>
      %1 = arith.mulf %0, %0 : f32
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== two_loads_of_one_element | mlir-opt 22 | affine-scalrep
module {
  func.func @two_loads_of_one_element(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to %arg0 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg2[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== two_loads_of_one_element | mlir-opt 22 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @two_loads_of_one_element(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to #map()[%arg0] step 2 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg2[%arg4] : memref<?xf32>
        %2 = affine.apply #map1(%arg4)
        %3 = affine.load %arg1[%arg3, %2] : memref<?x?xf32>
        %4 = arith.mulf %3, %3 : f32
        affine.store %4, %arg2[%2] : memref<?xf32>
      }
      affine.for %arg4 = #map()[%arg0] to %arg0 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg2[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== two_loads_of_one_element | iree-opt 24 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @two_loads_of_one_element(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to #map()[%arg0] step 2 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg2[%arg4] : memref<?xf32>
        %2 = affine.apply #map1(%arg4)
        %3 = affine.load %arg1[%arg3, %2] : memref<?x?xf32>
        %4 = arith.mulf %3, %3 : f32
        affine.store %4, %arg2[%2] : memref<?xf32>
      }
      affine.for %arg4 = max #map2()[%arg0] to %arg0 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg2[%arg4] : memref<?xf32>
      }
    }
    return
  }
}
// ===== overwritten_store | mlir-opt 22 | affine-scalrep
module {
  func.func @overwritten_store(%arg0: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    %c1_i32 = arith.constant 1 : i32
    %c7_i32 = arith.constant 7 : i32
    affine.for %arg1 = 0 to %dim {
      affine.store %c7_i32, %arg0[%arg1] : memref<?xi32>
    }
    return
  }
}
// ===== overwritten_store | mlir-opt 22 | affine-scalrep,canonicalize,cse
module {
  func.func @overwritten_store(%arg0: memref<?xi32>) {
    %c7_i32 = arith.constant 7 : i32
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    affine.for %arg1 = 0 to %dim {
      affine.store %c7_i32, %arg0[%arg1] : memref<?xi32>
    }
    return
  }
}
// ===== overwritten_store | mlir-opt 22 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @overwritten_store(%arg0: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    %c1_i32 = arith.constant 1 : i32
    %c7_i32 = arith.constant 7 : i32
    affine.for %arg1 = 0 to #map()[%dim] step 2 {
      affine.store %c7_i32, %arg0[%arg1] : memref<?xi32>
      %0 = affine.apply #map1(%arg1)
      affine.store %c7_i32, %arg0[%0] : memref<?xi32>
    }
    affine.for %arg1 = #map()[%dim] to %dim {
      affine.store %c7_i32, %arg0[%arg1] : memref<?xi32>
    }
    return
  }
}
// ===== overwritten_store | iree-opt 24 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @overwritten_store(%arg0: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    %c1_i32 = arith.constant 1 : i32
    %c7_i32 = arith.constant 7 : i32
    affine.for %arg1 = 0 to #map()[%dim] step 2 {
      affine.store %c7_i32, %arg0[%arg1] : memref<?xi32>
      %0 = affine.apply #map1(%arg1)
      affine.store %c7_i32, %arg0[%0] : memref<?xi32>
    }
    affine.for %arg1 = max #map2()[%dim] to %dim {
      affine.store %c7_i32, %arg0[%arg1] : memref<?xi32>
    }
    return
  }
}
// ===== neighbour_is_not_forwarded | mlir-opt 22 | affine-scalrep
module {
  func.func @neighbour_is_not_forwarded(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      affine.store %0, %arg2[%arg3] : memref<?xf32>
      %1 = affine.load %arg2[%arg3 + 1] : memref<?xf32>
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg1[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== neighbour_is_not_forwarded | mlir-opt 22 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @neighbour_is_not_forwarded(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] step 2 {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      affine.store %0, %arg2[%arg3] : memref<?xf32>
      %1 = affine.load %arg2[%arg3 + 1] : memref<?xf32>
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg1[%arg3] : memref<?xf32>
      %3 = affine.apply #map1(%arg3)
      %4 = affine.load %arg1[%3] : memref<?xf32>
      affine.store %4, %arg2[%3] : memref<?xf32>
      %5 = affine.load %arg2[%3 + 1] : memref<?xf32>
      %6 = arith.addf %5, %4 : f32
      affine.store %6, %arg1[%3] : memref<?xf32>
    }
    affine.for %arg3 = #map()[%arg0] to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      affine.store %0, %arg2[%arg3] : memref<?xf32>
      %1 = affine.load %arg2[%arg3 + 1] : memref<?xf32>
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg1[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== neighbour_is_not_forwarded | iree-opt 24 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @neighbour_is_not_forwarded(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] step 2 {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      affine.store %0, %arg2[%arg3] : memref<?xf32>
      %1 = affine.load %arg2[%arg3 + 1] : memref<?xf32>
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg1[%arg3] : memref<?xf32>
      %3 = affine.apply #map1(%arg3)
      %4 = affine.load %arg1[%3] : memref<?xf32>
      affine.store %4, %arg2[%3] : memref<?xf32>
      %5 = affine.load %arg2[%3 + 1] : memref<?xf32>
      %6 = arith.addf %5, %4 : f32
      affine.store %6, %arg1[%3] : memref<?xf32>
    }
    affine.for %arg3 = max #map2()[%arg0] to %arg0 {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      affine.store %0, %arg2[%arg3] : memref<?xf32>
      %1 = affine.load %arg2[%arg3 + 1] : memref<?xf32>
      %2 = arith.addf %1, %0 : f32
      affine.store %2, %arg1[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== store_above_the_loop | mlir-opt 22 | affine-scalrep
module {
  func.func @store_above_the_loop(%arg0: memref<?xf32>, %arg1: f32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to %dim {
      affine.store %arg1, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== store_above_the_loop | mlir-opt 22 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @store_above_the_loop(%arg0: memref<?xf32>, %arg1: f32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to #map()[%dim] step 2 {
      affine.store %arg1, %arg0[%arg2] : memref<?xf32>
      %0 = affine.apply #map1(%arg2)
      affine.store %arg1, %arg0[%0] : memref<?xf32>
    }
    affine.for %arg2 = #map()[%dim] to %dim {
      affine.store %arg1, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== store_above_the_loop | iree-opt 24 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @store_above_the_loop(%arg0: memref<?xf32>, %arg1: f32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 0 to #map()[%dim] step 2 {
      affine.store %arg1, %arg0[%arg2] : memref<?xf32>
      %0 = affine.apply #map1(%arg2)
      affine.store %arg1, %arg0[%0] : memref<?xf32>
    }
    affine.for %arg2 = max #map2()[%dim] to %dim {
      affine.store %arg1, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== accumulation_in_a_cell | mlir-opt 22 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @accumulation_in_a_cell(%arg0: memref<?x10xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?x10xf32>
    %alloc = memref.alloc() : memref<1xf32>
    affine.for %arg2 = 0 to %dim {
      affine.store %cst, %alloc[0] : memref<1xf32>
      affine.for %arg3 = 0 to 10 step 2 {
        %1 = affine.load %arg0[%arg2, %arg3] : memref<?x10xf32>
        %2 = affine.load %alloc[0] : memref<1xf32>
        %3 = arith.addf %2, %1 : f32
        %4 = affine.apply #map(%arg3)
        %5 = affine.load %arg0[%arg2, %4] : memref<?x10xf32>
        %6 = arith.addf %3, %5 : f32
        affine.store %6, %alloc[0] : memref<1xf32>
      }
      %0 = affine.load %alloc[0] : memref<1xf32>
      affine.store %0, %arg1[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== store_in_a_branch | mlir-opt 22 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#set = affine_set<(d0) : (d0 - 5 >= 0)>
module {
  func.func @store_in_a_branch(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: f32) {
    affine.for %arg4 = 0 to #map()[%arg0] step 2 {
      affine.store %arg3, %arg1[%arg4] : memref<?xf32>
      affine.if #set(%arg4) {
        %3 = affine.load %arg2[%arg4] : memref<?xf32>
        affine.store %3, %arg1[%arg4] : memref<?xf32>
      }
      %0 = affine.load %arg1[%arg4] : memref<?xf32>
      affine.store %0, %arg2[%arg4] : memref<?xf32>
      %1 = affine.apply #map1(%arg4)
      affine.store %arg3, %arg1[%1] : memref<?xf32>
      affine.if #set(%1) {
        %3 = affine.load %arg2[%1] : memref<?xf32>
        affine.store %3, %arg1[%1] : memref<?xf32>
      }
      %2 = affine.load %arg1[%1] : memref<?xf32>
      affine.store %2, %arg2[%1] : memref<?xf32>
    }
    affine.for %arg4 = #map()[%arg0] to %arg0 {
      affine.store %arg3, %arg1[%arg4] : memref<?xf32>
      affine.if #set(%arg4) {
        %1 = affine.load %arg2[%arg4] : memref<?xf32>
        affine.store %1, %arg1[%arg4] : memref<?xf32>
      }
      %0 = affine.load %arg1[%arg4] : memref<?xf32>
      affine.store %0, %arg2[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== store_in_a_branch | iree-opt 24 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
#set = affine_set<(d0) : (d0 - 5 >= 0)>
module {
  func.func @store_in_a_branch(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: f32) {
    affine.for %arg4 = 0 to #map()[%arg0] step 2 {
      affine.store %arg3, %arg1[%arg4] : memref<?xf32>
      affine.if #set(%arg4) {
        %3 = affine.load %arg2[%arg4] : memref<?xf32>
        affine.store %3, %arg1[%arg4] : memref<?xf32>
      }
      %0 = affine.load %arg1[%arg4] : memref<?xf32>
      affine.store %0, %arg2[%arg4] : memref<?xf32>
      %1 = affine.apply #map1(%arg4)
      affine.store %arg3, %arg1[%1] : memref<?xf32>
      affine.if #set(%1) {
        %3 = affine.load %arg2[%1] : memref<?xf32>
        affine.store %3, %arg1[%1] : memref<?xf32>
      }
      %2 = affine.load %arg1[%1] : memref<?xf32>
      affine.store %2, %arg2[%1] : memref<?xf32>
    }
    affine.for %arg4 = max #map2()[%arg0] to %arg0 {
      affine.store %arg3, %arg1[%arg4] : memref<?xf32>
      affine.if #set(%arg4) {
        %1 = affine.load %arg2[%arg4] : memref<?xf32>
        affine.store %1, %arg1[%arg4] : memref<?xf32>
      }
      %0 = affine.load %arg1[%arg4] : memref<?xf32>
      affine.store %0, %arg2[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== redundant_loads_around_a_store | mlir-opt 22 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @redundant_loads_around_a_store(%arg0: memref<12xf32>, %arg1: memref<12xf32>) {
    %c10 = arith.constant 10 : index
    affine.for %arg2 = 0 to 10 step 2 {
      %4 = affine.load %arg0[%arg2] : memref<12xf32>
      affine.store %4, %arg1[%arg2] : memref<12xf32>
      %5 = affine.load %arg0[%arg2] : memref<12xf32>
      %6 = affine.load %arg1[%arg2 + 1] : memref<12xf32>
      %7 = arith.addf %5, %6 : f32
      affine.store %7, %arg0[%arg2 + 1] : memref<12xf32>
      %8 = affine.apply #map(%arg2)
      affine.store %7, %arg1[%8] : memref<12xf32>
      %9 = affine.load %arg0[%8] : memref<12xf32>
      %10 = affine.load %arg1[%8 + 1] : memref<12xf32>
      %11 = arith.addf %9, %10 : f32
      affine.store %11, %arg0[%8 + 1] : memref<12xf32>
    }
    %0 = affine.load %arg0[%c10] : memref<12xf32>
    affine.store %0, %arg1[%c10] : memref<12xf32>
    %1 = affine.load %arg0[%c10] : memref<12xf32>
    %2 = affine.load %arg1[%c10 + 1] : memref<12xf32>
    %3 = arith.addf %1, %2 : f32
    affine.store %3, %arg0[%c10 + 1] : memref<12xf32>
    return
  }
}
// ===== vector_store_then_load | mlir-opt 22 | affine-scalrep
module {
  func.func @vector_store_then_load(%arg0: memref<32xf32>, %arg1: memref<32xf32>) {
    affine.for %arg2 = 0 to 32 step 4 {
      %0 = affine.vector_load %arg0[%arg2] : memref<32xf32>, vector<4xf32>
      %1 = arith.mulf %0, %0 : vector<4xf32>
      affine.vector_store %1, %arg1[%arg2] : memref<32xf32>, vector<4xf32>
    }
    return
  }
}
// ===== vector_store_then_load | mlir-opt 22 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @vector_store_then_load(%arg0: memref<32xf32>, %arg1: memref<32xf32>) {
    affine.for %arg2 = 0 to 32 step 8 {
      %0 = affine.vector_load %arg0[%arg2] : memref<32xf32>, vector<4xf32>
      %1 = arith.mulf %0, %0 : vector<4xf32>
      affine.vector_store %1, %arg1[%arg2] : memref<32xf32>, vector<4xf32>
      %2 = affine.apply #map(%arg2)
      %3 = affine.vector_load %arg0[%2] : memref<32xf32>, vector<4xf32>
      %4 = arith.mulf %3, %3 : vector<4xf32>
      affine.vector_store %4, %arg1[%2] : memref<32xf32>, vector<4xf32>
    }
    return
  }
}
// ===== parallel_loop_with_a_temporary | mlir-opt 22 | affine-scalrep
module {
  func.func @parallel_loop_with_a_temporary(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.parallel (%arg3) = (0) to (symbol(%arg0)) {
      %0 = affine.load %arg1[%arg3] : memref<?xf32>
      %1 = arith.addf %0, %0 : f32
      affine.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== mapped_subscripts_agree | mlir-opt 22 | affine-scalrep
#map = affine_map<(d0) -> (d0 * 2 + 1)>
module {
  func.func @mapped_subscripts_agree(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.apply #map(%arg3)
      %1 = affine.load %arg2[%arg3] : memref<?xf32>
      affine.store %1, %arg1[%0] : memref<?xf32>
      %2 = arith.negf %1 : f32
      affine.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== mapped_subscripts_agree | mlir-opt 22 | affine-scalrep,canonicalize,cse
module {
  func.func @mapped_subscripts_agree(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg2[%arg3] : memref<?xf32>
      affine.store %0, %arg1[%arg3 * 2 + 1] : memref<?xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== mapped_subscripts_agree | mlir-opt 22 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 * 2 + 1)>
#map2 = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @mapped_subscripts_agree(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] step 2 {
      %0 = affine.apply #map1(%arg3)
      %1 = affine.load %arg2[%arg3] : memref<?xf32>
      affine.store %1, %arg1[%0] : memref<?xf32>
      %2 = arith.negf %1 : f32
      affine.store %2, %arg2[%arg3] : memref<?xf32>
      %3 = affine.apply #map2(%arg3)
      %4 = affine.apply #map1(%3)
      %5 = affine.load %arg2[%3] : memref<?xf32>
      affine.store %5, %arg1[%4] : memref<?xf32>
      %6 = arith.negf %5 : f32
      affine.store %6, %arg2[%3] : memref<?xf32>
    }
    affine.for %arg3 = #map()[%arg0] to %arg0 {
      %0 = affine.apply #map1(%arg3)
      %1 = affine.load %arg2[%arg3] : memref<?xf32>
      affine.store %1, %arg1[%0] : memref<?xf32>
      %2 = arith.negf %1 : f32
      affine.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
// ===== mapped_subscripts_agree | iree-opt 24 | affine-loop-unroll{unroll-factor=2},affine-scalrep
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 * 2 + 1)>
#map2 = affine_map<(d0) -> (d0 + 1)>
#map3 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @mapped_subscripts_agree(%arg0: index, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] step 2 {
      %0 = affine.apply #map1(%arg3)
      %1 = affine.load %arg2[%arg3] : memref<?xf32>
      affine.store %1, %arg1[%0] : memref<?xf32>
      %2 = arith.negf %1 : f32
      affine.store %2, %arg2[%arg3] : memref<?xf32>
      %3 = affine.apply #map2(%arg3)
      %4 = affine.apply #map1(%3)
      %5 = affine.load %arg2[%3] : memref<?xf32>
      affine.store %5, %arg1[%4] : memref<?xf32>
      %6 = arith.negf %5 : f32
      affine.store %6, %arg2[%3] : memref<?xf32>
    }
    affine.for %arg3 = max #map3()[%arg0] to %arg0 {
      %0 = affine.apply #map1(%arg3)
      %1 = affine.load %arg2[%arg3] : memref<?xf32>
      affine.store %1, %arg1[%0] : memref<?xf32>
      %2 = arith.negf %1 : f32
      affine.store %2, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}
