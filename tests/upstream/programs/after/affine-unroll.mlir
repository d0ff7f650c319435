// ===== rows_of_open_length | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @rows_of_open_length(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to #map()[%dim_0] step 4 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
        %2 = affine.apply #map1(%arg3)
        %3 = affine.load %arg0[%arg2, %2] : memref<?x?xf32>
        %4 = arith.mulf %3, %3 : f32
        affine.store %4, %arg1[%arg2, %2] : memref<?x?xf32>
        %5 = affine.apply #map2(%arg3)
        %6 = affine.load %arg0[%arg2, %5] : memref<?x?xf32>
        %7 = arith.mulf %6, %6 : f32
        affine.store %7, %arg1[%arg2, %5] : memref<?x?xf32>
        %8 = affine.apply #map3(%arg3)
        %9 = affine.load %arg0[%arg2, %8] : memref<?x?xf32>
        %10 = arith.mulf %9, %9 : f32
        affine.store %10, %arg1[%arg2, %8] : memref<?x?xf32>
      }
      affine.for %arg3 = #map()[%dim_0] to %dim_0 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== rows_of_open_length | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @rows_of_open_length(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to #map()[%dim_0] step 3 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
        %2 = affine.apply #map1(%arg3)
        %3 = affine.load %arg0[%arg2, %2] : memref<?x?xf32>
        %4 = arith.mulf %3, %3 : f32
        affine.store %4, %arg1[%arg2, %2] : memref<?x?xf32>
        %5 = affine.apply #map2(%arg3)
        %6 = affine.load %arg0[%arg2, %5] : memref<?x?xf32>
        %7 = arith.mulf %6, %6 : f32
        affine.store %7, %arg1[%arg2, %5] : memref<?x?xf32>
      }
      affine.for %arg3 = #map()[%dim_0] to %dim_0 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== rows_of_open_length | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
module {
  func.func @rows_of_open_length(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
        %2 = affine.load %arg0[%arg2, %arg3 + 1] : memref<?x?xf32>
        %3 = arith.mulf %2, %2 : f32
        affine.store %3, %arg1[%arg2, %arg3 + 1] : memref<?x?xf32>
      }
      affine.for %arg3 = #map()[%dim_0] to %dim_0 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== rows_of_open_length | iree-opt 24 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
#map4 = affine_map<()[s0] -> ((s0 floordiv 4) * 4, 0)>
module {
  func.func @rows_of_open_length(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to #map()[%dim_0] step 4 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
        %2 = affine.apply #map1(%arg3)
        %3 = affine.load %arg0[%arg2, %2] : memref<?x?xf32>
        %4 = arith.mulf %3, %3 : f32
        affine.store %4, %arg1[%arg2, %2] : memref<?x?xf32>
        %5 = affine.apply #map2(%arg3)
        %6 = affine.load %arg0[%arg2, %5] : memref<?x?xf32>
        %7 = arith.mulf %6, %6 : f32
        affine.store %7, %arg1[%arg2, %5] : memref<?x?xf32>
        %8 = affine.apply #map3(%arg3)
        %9 = affine.load %arg0[%arg2, %8] : memref<?x?xf32>
        %10 = arith.mulf %9, %9 : f32
        affine.store %10, %arg1[%arg2, %8] : memref<?x?xf32>
      }
      affine.for %arg3 = max #map4()[%dim_0] to %dim_0 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== rows_of_open_length | iree-opt 24 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<()[s0] -> ((s0 floordiv 3) * 3, 0)>
module {
  func.func @rows_of_open_length(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to #map()[%dim_0] step 3 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
        %2 = affine.apply #map1(%arg3)
        %3 = affine.load %arg0[%arg2, %2] : memref<?x?xf32>
        %4 = arith.mulf %3, %3 : f32
        affine.store %4, %arg1[%arg2, %2] : memref<?x?xf32>
        %5 = affine.apply #map2(%arg3)
        %6 = affine.load %arg0[%arg2, %5] : memref<?x?xf32>
        %7 = arith.mulf %6, %6 : f32
        affine.store %7, %arg1[%arg2, %5] : memref<?x?xf32>
      }
      affine.for %arg3 = max #map3()[%dim_0] to %dim_0 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== rows_of_open_length | iree-opt 24 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @rows_of_open_length(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg2 = 0 to %dim {
      affine.for %arg3 = 0 to #map()[%dim_0] step 2 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
        %2 = affine.load %arg0[%arg2, %arg3 + 1] : memref<?x?xf32>
        %3 = arith.mulf %2, %2 : f32
        affine.store %3, %arg1[%arg2, %arg3 + 1] : memref<?x?xf32>
      }
      affine.for %arg3 = max #map1()[%dim_0] to %dim_0 {
        %0 = affine.load %arg0[%arg2, %arg3] : memref<?x?xf32>
        %1 = arith.mulf %0, %0 : f32
        affine.store %1, %arg1[%arg2, %arg3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== seven_times | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @seven_times(%arg0: index, %arg1: memref<?x7xf32>, %arg2: memref<?x7xf32>) {
    %c0 = arith.constant 0 : index
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3, %c0] : memref<?x7xf32>
      %1 = affine.load %arg2[%arg3, %c0] : memref<?x7xf32>
      %2 = arith.subf %0, %1 : f32
      affine.store %2, %arg2[%arg3, %c0] : memref<?x7xf32>
      %3 = affine.apply #map(%c0)
      %4 = affine.load %arg1[%arg3, %3] : memref<?x7xf32>
      %5 = affine.load %arg2[%arg3, %3] : memref<?x7xf32>
      %6 = arith.subf %4, %5 : f32
      affine.store %6, %arg2[%arg3, %3] : memref<?x7xf32>
      %7 = affine.apply #map1(%c0)
      %8 = affine.load %arg1[%arg3, %7] : memref<?x7xf32>
      %9 = affine.load %arg2[%arg3, %7] : memref<?x7xf32>
      %10 = arith.subf %8, %9 : f32
      affine.store %10, %arg2[%arg3, %7] : memref<?x7xf32>
      %11 = affine.apply #map2(%c0)
      %12 = affine.load %arg1[%arg3, %11] : memref<?x7xf32>
      %13 = affine.load %arg2[%arg3, %11] : memref<?x7xf32>
      %14 = arith.subf %12, %13 : f32
      affine.store %14, %arg2[%arg3, %11] : memref<?x7xf32>
      affine.for %arg4 = 4 to 7 {
        %15 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %16 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %17 = arith.subf %15, %16 : f32
        affine.store %17, %arg2[%arg3, %arg4] : memref<?x7xf32>
      }
    }
    return
  }
}
// ===== seven_times | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @seven_times(%arg0: index, %arg1: memref<?x7xf32>, %arg2: memref<?x7xf32>) {
    %c6 = arith.constant 6 : index
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 6 step 3 {
        %3 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %4 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %5 = arith.subf %3, %4 : f32
        affine.store %5, %arg2[%arg3, %arg4] : memref<?x7xf32>
        %6 = affine.apply #map(%arg4)
        %7 = affine.load %arg1[%arg3, %6] : memref<?x7xf32>
        %8 = affine.load %arg2[%arg3, %6] : memref<?x7xf32>
        %9 = arith.subf %7, %8 : f32
        affine.store %9, %arg2[%arg3, %6] : memref<?x7xf32>
        %10 = affine.apply #map1(%arg4)
        %11 = affine.load %arg1[%arg3, %10] : memref<?x7xf32>
        %12 = affine.load %arg2[%arg3, %10] : memref<?x7xf32>
        %13 = arith.subf %11, %12 : f32
        affine.store %13, %arg2[%arg3, %10] : memref<?x7xf32>
      }
      %0 = affine.load %arg1[%arg3, %c6] : memref<?x7xf32>
      %1 = affine.load %arg2[%arg3, %c6] : memref<?x7xf32>
      %2 = arith.subf %0, %1 : f32
      affine.store %2, %arg2[%arg3, %c6] : memref<?x7xf32>
    }
    return
  }
}
// ===== seven_times | mlir-opt 22 | affine-loop-unroll{unroll-factor=4 cleanup-unroll}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 3)>
#map3 = affine_map<(d0) -> (d0 + 4)>
#map4 = affine_map<(d0) -> (d0 + 5)>
#map5 = affine_map<(d0) -> (d0 + 6)>
module {
  func.func @seven_times(%arg0: index, %arg1: memref<?x7xf32>, %arg2: memref<?x7xf32>) {
    %c0 = arith.constant 0 : index
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3, %c0] : memref<?x7xf32>
      %1 = affine.load %arg2[%arg3, %c0] : memref<?x7xf32>
      %2 = arith.subf %0, %1 : f32
      affine.store %2, %arg2[%arg3, %c0] : memref<?x7xf32>
      %3 = affine.apply #map(%c0)
      %4 = affine.load %arg1[%arg3, %3] : memref<?x7xf32>
      %5 = affine.load %arg2[%arg3, %3] : memref<?x7xf32>
      %6 = arith.subf %4, %5 : f32
      affine.store %6, %arg2[%arg3, %3] : memref<?x7xf32>
      %7 = affine.apply #map1(%c0)
      %8 = affine.load %arg1[%arg3, %7] : memref<?x7xf32>
      %9 = affine.load %arg2[%arg3, %7] : memref<?x7xf32>
      %10 = arith.subf %8, %9 : f32
      affine.store %10, %arg2[%arg3, %7] : memref<?x7xf32>
      %11 = affine.apply #map2(%c0)
      %12 = affine.load %arg1[%arg3, %11] : memref<?x7xf32>
      %13 = affine.load %arg2[%arg3, %11] : memref<?x7xf32>
      %14 = arith.subf %12, %13 : f32
      affine.store %14, %arg2[%arg3, %11] : memref<?x7xf32>
      %15 = affine.apply #map3(%c0)
      %16 = affine.load %arg1[%arg3, %15] : memref<?x7xf32>
      %17 = affine.load %arg2[%arg3, %15] : memref<?x7xf32>
      %18 = arith.subf %16, %17 : f32
      affine.store %18, %arg2[%arg3, %15] : memref<?x7xf32>
      %19 = affine.apply #map4(%c0)
      %20 = affine.load %arg1[%arg3, %19] : memref<?x7xf32>
      %21 = affine.load %arg2[%arg3, %19] : memref<?x7xf32>
      %22 = arith.subf %20, %21 : f32
      affine.store %22, %arg2[%arg3, %19] : memref<?x7xf32>
      %23 = affine.apply #map5(%c0)
      %24 = affine.load %arg1[%arg3, %23] : memref<?x7xf32>
      %25 = affine.load %arg2[%arg3, %23] : memref<?x7xf32>
      %26 = arith.subf %24, %25 : f32
      affine.store %26, %arg2[%arg3, %23] : memref<?x7xf32>
    }
    return
  }
}
// ===== seven_times | mlir-opt 22 | affine-loop-unroll-jam{unroll-jam-factor=2}
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @seven_times(%arg0: index, %arg1: memref<?x7xf32>, %arg2: memref<?x7xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] step 2 {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %1 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %2 = arith.subf %0, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x7xf32>
        %3 = affine.apply #map1(%arg3)
        %4 = affine.load %arg1[%3, %arg4] : memref<?x7xf32>
        %5 = affine.load %arg2[%3, %arg4] : memref<?x7xf32>
        %6 = arith.subf %4, %5 : f32
        affine.store %6, %arg2[%3, %arg4] : memref<?x7xf32>
      }
    }
    affine.for %arg3 = #map()[%arg0] to %arg0 {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %1 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %2 = arith.subf %0, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x7xf32>
      }
    }
    return
  }
}
// ===== seven_times | mlir-opt 22 | affine-loop-unroll-jam{unroll-jam-factor=3},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>
module {
  func.func @seven_times(%arg0: index, %arg1: memref<?x7xf32>, %arg2: memref<?x7xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] step 3 {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %1 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %2 = arith.subf %0, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x7xf32>
        %3 = affine.load %arg1[%arg3 + 1, %arg4] : memref<?x7xf32>
        %4 = affine.load %arg2[%arg3 + 1, %arg4] : memref<?x7xf32>
        %5 = arith.subf %3, %4 : f32
        affine.store %5, %arg2[%arg3 + 1, %arg4] : memref<?x7xf32>
        %6 = affine.load %arg1[%arg3 + 2, %arg4] : memref<?x7xf32>
        %7 = affine.load %arg2[%arg3 + 2, %arg4] : memref<?x7xf32>
        %8 = arith.subf %6, %7 : f32
        affine.store %8, %arg2[%arg3 + 2, %arg4] : memref<?x7xf32>
      }
    }
    affine.for %arg3 = #map()[%arg0] to %arg0 {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %1 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %2 = arith.subf %0, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x7xf32>
      }
    }
    return
  }
}
// ===== seven_times | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
module {
  func.func @seven_times(%arg0: index, %arg1: memref<?x7xf32>, %arg2: memref<?x7xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = 0 to 6 step 2 {
        %3 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %4 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %5 = arith.subf %3, %4 : f32
        affine.store %5, %arg2[%arg3, %arg4] : memref<?x7xf32>
        %6 = affine.load %arg1[%arg3, %arg4 + 1] : memref<?x7xf32>
        %7 = affine.load %arg2[%arg3, %arg4 + 1] : memref<?x7xf32>
        %8 = arith.subf %6, %7 : f32
        affine.store %8, %arg2[%arg3, %arg4 + 1] : memref<?x7xf32>
      }
      %0 = affine.load %arg1[%arg3, 6] : memref<?x7xf32>
      %1 = affine.load %arg2[%arg3, 6] : memref<?x7xf32>
      %2 = arith.subf %0, %1 : f32
      affine.store %2, %arg2[%arg3, 6] : memref<?x7xf32>
    }
    return
  }
}
// ===== seven_times | iree-opt 24 | affine-loop-unroll-jam{unroll-jam-factor=2}
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @seven_times(%arg0: index, %arg1: memref<?x7xf32>, %arg2: memref<?x7xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] step 2 {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %1 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %2 = arith.subf %0, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x7xf32>
        %3 = affine.apply #map1(%arg3)
        %4 = affine.load %arg1[%3, %arg4] : memref<?x7xf32>
        %5 = affine.load %arg2[%3, %arg4] : memref<?x7xf32>
        %6 = arith.subf %4, %5 : f32
        affine.store %6, %arg2[%3, %arg4] : memref<?x7xf32>
      }
    }
    affine.for %arg3 = max #map2()[%arg0] to %arg0 {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %1 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %2 = arith.subf %0, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x7xf32>
      }
    }
    return
  }
}
// ===== seven_times | iree-opt 24 | affine-loop-unroll-jam{unroll-jam-factor=3},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>
#map1 = affine_map<()[s0] -> ((s0 floordiv 3) * 3, 0)>
module {
  func.func @seven_times(%arg0: index, %arg1: memref<?x7xf32>, %arg2: memref<?x7xf32>) {
    affine.for %arg3 = 0 to #map()[%arg0] step 3 {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %1 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %2 = arith.subf %0, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x7xf32>
        %3 = affine.load %arg1[%arg3 + 1, %arg4] : memref<?x7xf32>
        %4 = affine.load %arg2[%arg3 + 1, %arg4] : memref<?x7xf32>
        %5 = arith.subf %3, %4 : f32
        affine.store %5, %arg2[%arg3 + 1, %arg4] : memref<?x7xf32>
        %6 = affine.load %arg1[%arg3 + 2, %arg4] : memref<?x7xf32>
        %7 = affine.load %arg2[%arg3 + 2, %arg4] : memref<?x7xf32>
        %8 = arith.subf %6, %7 : f32
        affine.store %8, %arg2[%arg3 + 2, %arg4] : memref<?x7xf32>
      }
    }
    affine.for %arg3 = max #map1()[%arg0] to %arg0 {
      affine.for %arg4 = 0 to 7 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x7xf32>
        %1 = affine.load %arg2[%arg3, %arg4] : memref<?x7xf32>
        %2 = arith.subf %0, %1 : f32
        affine.store %2, %arg2[%arg3, %arg4] : memref<?x7xf32>
      }
    }
    return
  }
}
// ===== sum_in_a_carried_value | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @sum_in_a_carried_value(%arg0: memref<?xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0 = affine.for %arg2 = 0 to #map()[%dim] step 4 iter_args(%arg3 = %cst) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      %4 = affine.apply #map1(%arg2)
      %5 = affine.load %arg0[%4] : memref<?xf32>
      %6 = arith.addf %3, %5 : f32
      %7 = affine.apply #map2(%arg2)
      %8 = affine.load %arg0[%7] : memref<?xf32>
      %9 = arith.addf %6, %8 : f32
      %10 = affine.apply #map3(%arg2)
      %11 = affine.load %arg0[%10] : memref<?xf32>
      %12 = arith.addf %9, %11 : f32
      affine.yield %12 : f32
    }
    %1 = affine.for %arg2 = #map()[%dim] to %dim iter_args(%arg3 = %0) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      affine.yield %3 : f32
    }
    affine.store %1, %arg1[0] : memref<1xf32>
    return
  }
}
// ===== sum_in_a_carried_value | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @sum_in_a_carried_value(%arg0: memref<?xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0 = affine.for %arg2 = 0 to #map()[%dim] step 3 iter_args(%arg3 = %cst) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      %4 = affine.apply #map1(%arg2)
      %5 = affine.load %arg0[%4] : memref<?xf32>
      %6 = arith.addf %3, %5 : f32
      %7 = affine.apply #map2(%arg2)
      %8 = affine.load %arg0[%7] : memref<?xf32>
      %9 = arith.addf %6, %8 : f32
      affine.yield %9 : f32
    }
    %1 = affine.for %arg2 = #map()[%dim] to %dim iter_args(%arg3 = %0) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      affine.yield %3 : f32
    }
    affine.store %1, %arg1[0] : memref<1xf32>
    return
  }
}
// ===== sum_in_a_carried_value | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
module {
  func.func @sum_in_a_carried_value(%arg0: memref<?xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0 = affine.for %arg2 = 0 to #map()[%dim] step 2 iter_args(%arg3 = %cst) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      %4 = affine.load %arg0[%arg2 + 1] : memref<?xf32>
      %5 = arith.addf %3, %4 : f32
      affine.yield %5 : f32
    }
    %1 = affine.for %arg2 = #map()[%dim] to %dim iter_args(%arg3 = %0) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      affine.yield %3 : f32
    }
    affine.store %1, %arg1[0] : memref<1xf32>
    return
  }
}
// ===== sum_in_a_carried_value | iree-opt 24 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
#map4 = affine_map<()[s0] -> ((s0 floordiv 4) * 4, 0)>
module {
  func.func @sum_in_a_carried_value(%arg0: memref<?xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0 = affine.for %arg2 = 0 to #map()[%dim] step 4 iter_args(%arg3 = %cst) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      %4 = affine.apply #map1(%arg2)
      %5 = affine.load %arg0[%4] : memref<?xf32>
      %6 = arith.addf %3, %5 : f32
      %7 = affine.apply #map2(%arg2)
      %8 = affine.load %arg0[%7] : memref<?xf32>
      %9 = arith.addf %6, %8 : f32
      %10 = affine.apply #map3(%arg2)
      %11 = affine.load %arg0[%10] : memref<?xf32>
      %12 = arith.addf %9, %11 : f32
      affine.yield %12 : f32
    }
    %1 = affine.for %arg2 = max #map4()[%dim] to %dim iter_args(%arg3 = %0) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      affine.yield %3 : f32
    }
    affine.store %1, %arg1[0] : memref<1xf32>
    return
  }
}
// ===== sum_in_a_carried_value | iree-opt 24 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<()[s0] -> ((s0 floordiv 3) * 3, 0)>
module {
  func.func @sum_in_a_carried_value(%arg0: memref<?xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0 = affine.for %arg2 = 0 to #map()[%dim] step 3 iter_args(%arg3 = %cst) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      %4 = affine.apply #map1(%arg2)
      %5 = affine.load %arg0[%4] : memref<?xf32>
      %6 = arith.addf %3, %5 : f32
      %7 = affine.apply #map2(%arg2)
      %8 = affine.load %arg0[%7] : memref<?xf32>
      %9 = arith.addf %6, %8 : f32
      affine.yield %9 : f32
    }
    %1 = affine.for %arg2 = max #map3()[%dim] to %dim iter_args(%arg3 = %0) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      affine.yield %3 : f32
    }
    affine.store %1, %arg1[0] : memref<1xf32>
    return
  }
}
// ===== sum_in_a_carried_value | iree-opt 24 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @sum_in_a_carried_value(%arg0: memref<?xf32>, %arg1: memref<1xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0 = affine.for %arg2 = 0 to #map()[%dim] step 2 iter_args(%arg3 = %cst) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      %4 = affine.load %arg0[%arg2 + 1] : memref<?xf32>
      %5 = arith.addf %3, %4 : f32
      affine.yield %5 : f32
    }
    %1 = affine.for %arg2 = max #map1()[%dim] to %dim iter_args(%arg3 = %0) -> (f32) {
      %2 = affine.load %arg0[%arg2] : memref<?xf32>
      %3 = arith.addf %arg3, %2 : f32
      affine.yield %3 : f32
    }
    affine.store %1, %arg1[0] : memref<1xf32>
    return
  }
}
// ===== two_carried_values | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @two_carried_values(%arg0: memref<30xi64>, %arg1: memref<2xi64>) {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %0:2 = affine.for %arg2 = 0 to 28 step 4 iter_args(%arg3 = %c0_i64, %arg4 = %c1_i64) -> (i64, i64) {
      %2 = affine.load %arg0[%arg2] : memref<30xi64>
      %3 = arith.addi %arg3, %arg4 : i64
      %4 = arith.xori %arg4, %2 : i64
      %5 = affine.apply #map(%arg2)
      %6 = affine.load %arg0[%5] : memref<30xi64>
      %7 = arith.addi %4, %3 : i64
      %8 = arith.xori %3, %6 : i64
      %9 = affine.apply #map1(%arg2)
      %10 = affine.load %arg0[%9] : memref<30xi64>
      %11 = arith.addi %8, %7 : i64
      %12 = arith.xori %7, %10 : i64
      %13 = affine.apply #map2(%arg2)
      %14 = affine.load %arg0[%13] : memref<30xi64>
      %15 = arith.addi %12, %11 : i64
      %16 = arith.xori %11, %14 : i64
      affine.yield %16, %15 : i64, i64
    }
    %1:2 = affine.for %arg2 = 28 to 30 iter_args(%arg3 = %0#0, %arg4 = %0#1) -> (i64, i64) {
      %2 = affine.load %arg0[%arg2] : memref<30xi64>
      %3 = arith.addi %arg3, %arg4 : i64
      %4 = arith.xori %arg4, %2 : i64
      affine.yield %4, %3 : i64, i64
    }
    affine.store %1#0, %arg1[0] : memref<2xi64>
    affine.store %1#1, %arg1[1] : memref<2xi64>
    return
  }
}
// ===== two_carried_values | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @two_carried_values(%arg0: memref<30xi64>, %arg1: memref<2xi64>) {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %0:2 = affine.for %arg2 = 0 to 30 step 3 iter_args(%arg3 = %c0_i64, %arg4 = %c1_i64) -> (i64, i64) {
      %1 = affine.load %arg0[%arg2] : memref<30xi64>
      %2 = arith.addi %arg3, %arg4 : i64
      %3 = arith.xori %arg4, %1 : i64
      %4 = affine.apply #map(%arg2)
      %5 = affine.load %arg0[%4] : memref<30xi64>
      %6 = arith.addi %3, %2 : i64
      %7 = arith.xori %2, %5 : i64
      %8 = affine.apply #map1(%arg2)
      %9 = affine.load %arg0[%8] : memref<30xi64>
      %10 = arith.addi %7, %6 : i64
      %11 = arith.xori %6, %9 : i64
      affine.yield %11, %10 : i64, i64
    }
    affine.store %0#0, %arg1[0] : memref<2xi64>
    affine.store %0#1, %arg1[1] : memref<2xi64>
    return
  }
}
// ===== two_carried_values | mlir-opt 22 | affine-loop-unroll{unroll-factor=4 cleanup-unroll}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 3)>
#map3 = affine_map<(d0) -> (d0 + 4)>
#map4 = affine_map<(d0) -> (d0 + 5)>
#map5 = affine_map<(d0) -> (d0 + 6)>
#map6 = affine_map<(d0) -> (d0 + 7)>
#map7 = affine_map<(d0) -> (d0 + 8)>
#map8 = affine_map<(d0) -> (d0 + 9)>
#map9 = affine_map<(d0) -> (d0 + 10)>
#map10 = affine_map<(d0) -> (d0 + 11)>
#map11 = affine_map<(d0) -> (d0 + 12)>
#map12 = affine_map<(d0) -> (d0 + 13)>
#map13 = affine_map<(d0) -> (d0 + 14)>
#map14 = affine_map<(d0) -> (d0 + 15)>
#map15 = affine_map<(d0) -> (d0 + 16)>
#map16 = affine_map<(d0) -> (d0 + 17)>
#map17 = affine_map<(d0) -> (d0 + 18)>
#map18 = affine_map<(d0) -> (d0 + 19)>
#map19 = affine_map<(d0) -> (d0 + 20)>
#map20 = affine_map<(d0) -> (d0 + 21)>
#map21 = affine_map<(d0) -> (d0 + 22)>
#map22 = affine_map<(d0) -> (d0 + 23)>
#map23 = affine_map<(d0) -> (d0 + 24)>
#map24 = affine_map<(d0) -> (d0 + 25)>
#map25 = affine_map<(d0) -> (d0 + 26)>
#map26 = affine_map<(d0) -> (d0 + 27)>
#map27 = affine_map<(d0) -> (d0 + 28)>
#map28 = affine_map<(d0) -> (d0 + 29)>
module {
  func.func @two_carried_values(%arg0: memref<30xi64>, %arg1: memref<2xi64>) {
    %c0 = arith.constant 0 : index
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %0 = affine.load %arg0[%c0] : memref<30xi64>
    %1 = arith.addi %c0_i64, %c1_i64 : i64
    %2 = arith.xori %c1_i64, %0 : i64
    %3 = affine.apply #map(%c0)
    %4 = affine.load %arg0[%3] : memref<30xi64>
    %5 = arith.addi %2, %1 : i64
    %6 = arith.xori %1, %4 : i64
    %7 = affine.apply #map1(%c0)
    %8 = affine.load %arg0[%7] : memref<30xi64>
    %9 = arith.addi %6, %5 : i64
    %10 = arith.xori %5, %8 : i64
    %11 = affine.apply #map2(%c0)
    %12 = affine.load %arg0[%11] : memref<30xi64>
    %13 = arith.addi %10, %9 : i64
    %14 = arith.xori %9, %12 : i64
    %15 = affine.apply #map3(%c0)
    %16 = affine.load %arg0[%15] : memref<30xi64>
    %17 = arith.addi %14, %13 : i64
    %18 = arith.xori %13, %16 : i64
    %19 = affine.apply #map4(%c0)
    %20 = affine.load %arg0[%19] : memref<30xi64>
    %21 = arith.addi %18, %17 : i64
    %22 = arith.xori %17, %20 : i64
    %23 = affine.apply #map5(%c0)
    %24 = affine.load %arg0[%23] : memref<30xi64>
    %25 = arith.addi %22, %21 : i64
    %26 = arith.xori %21, %24 : i64
    %27 = affine.apply #map6(%c0)
    %28 = affine.load %arg0[%27] : memref<30xi64>
    %29 = arith.addi %26, %25 : i64
    %30 = arith.xori %25, %28 : i64
    %31 = affine.apply #map7(%c0)
    %32 = affine.load %arg0[%31] : memref<30xi64>
    %33 = arith.addi %30, %29 : i64
    %34 = arith.xori %29, %32 : i64
    %35 = affine.apply #map8(%c0)
    %36 = affine.load %arg0[%35] : memref<30xi64>
    %37 = arith.addi %34, %33 : i64
    %38 = arith.xori %33, %36 : i64
    %39 = affine.apply #map9(%c0)
    %40 = affine.load %arg0[%39] : memref<30xi64>
    %41 = arith.addi %38, %37 : i64
    %42 = arith.xori %37, %40 : i64
    %43 = affine.apply #map10(%c0)
    %44 = affine.load %arg0[%43] : memref<30xi64>
    %45 = arith.addi %42, %41 : i64
    %46 = arith.xori %41, %44 : i64
    %47 = affine.apply #map11(%c0)
    %48 = affine.load %arg0[%47] : memref<30xi64>
    %49 = arith.addi %46, %45 : i64
    %50 = arith.xori %45, %48 : i64
    %51 = affine.apply #map12(%c0)
    %52 = affine.load %arg0[%51] : memref<30xi64>
    %53 = arith.addi %50, %49 : i64
    %54 = arith.xori %49, %52 : i64
    %55 = affine.apply #map13(%c0)
    %56 = affine.load %arg0[%55] : memref<30xi64>
    %57 = arith.addi %54, %53 : i64
    %58 = arith.xori %53, %56 : i64
    %59 = affine.apply #map14(%c0)
    %60 = affine.load %arg0[%59] : memref<30xi64>
    %61 = arith.addi %58, %57 : i64
    %62 = arith.xori %57, %60 : i64
    %63 = affine.apply #map15(%c0)
    %64 = affine.load %arg0[%63] : memref<30xi64>
    %65 = arith.addi %62, %61 : i64
    %66 = arith.xori %61, %64 : i64
    %67 = affine.apply #map16(%c0)
    %68 = affine.load %arg0[%67] : memref<30xi64>
    %69 = arith.addi %66, %65 : i64
    %70 = arith.xori %65, %68 : i64
    %71 = affine.apply #map17(%c0)
    %72 = affine.load %arg0[%71] : memref<30xi64>
    %73 = arith.addi %70, %69 : i64
    %74 = arith.xori %69, %72 : i64
    %75 = affine.apply #map18(%c0)
    %76 = affine.load %arg0[%75] : memref<30xi64>
    %77 = arith.addi %74, %73 : i64
    %78 = arith.xori %73, %76 : i64
    %79 = affine.apply #map19(%c0)
    %80 = affine.load %arg0[%79] : memref<30xi64>
    %81 = arith.addi %78, %77 : i64
    %82 = arith.xori %77, %80 : i64
    %83 = affine.apply #map20(%c0)
    %84 = affine.load %arg0[%83] : memref<30xi64>
    %85 = arith.addi %82, %81 : i64
    %86 = arith.xori %81, %84 : i64
    %87 = affine.apply #map21(%c0)
    %88 = affine.load %arg0[%87] : memref<30xi64>
    %89 = arith.addi %86, %85 : i64
    %90 = arith.xori %85, %88 : i64
    %91 = affine.apply #map22(%c0)
    %92 = affine.load %arg0[%91] : memref<30xi64>
    %93 = arith.addi %90, %89 : i64
    %94 = arith.xori %89, %92 : i64
    %95 = affine.apply #map23(%c0)
    %96 = affine.load %arg0[%95] : memref<30xi64>
    %97 = arith.addi %94, %93 : i64
    %98 = arith.xori %93, %96 : i64
    %99 = affine.apply #map24(%c0)
    %100 = affine.load %arg0[%99] : memref<30xi64>
    %101 = arith.addi %98, %97 : i64
    %102 = arith.xori %97, %100 : i64
    %103 = affine.apply #map25(%c0)
    %104 = affine.load %arg0[%103] : memref<30xi64>
    %105 = arith.addi %102, %101 : i64
    %106 = arith.xori %101, %104 : i64
    %107 = affine.apply #map26(%c0)
    %108 = affine.load %arg0[%107] : memref<30xi64>
    %109 = arith.addi %106, %105 : i64
    %110 = arith.xori %105, %108 : i64
    %111 = affine.apply #map27(%c0)
    %112 = affine.load %arg0[%111] : memref<30xi64>
    %113 = arith.addi %110, %109 : i64
    %114 = arith.xori %109, %112 : i64
    %115 = affine.apply #map28(%c0)
    %116 = affine.load %arg0[%115] : memref<30xi64>
    %117 = arith.addi %114, %113 : i64
    %118 = arith.xori %113, %116 : i64
    affine.store %118, %arg1[0] : memref<2xi64>
    affine.store %117, %arg1[1] : memref<2xi64>
    return
  }
}
// ===== two_carried_values | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
module {
  func.func @two_carried_values(%arg0: memref<30xi64>, %arg1: memref<2xi64>) {
    %c1_i64 = arith.constant 1 : i64
    %c0_i64 = arith.constant 0 : i64
    %0:2 = affine.for %arg2 = 0 to 30 step 2 iter_args(%arg3 = %c0_i64, %arg4 = %c1_i64) -> (i64, i64) {
      %1 = affine.load %arg0[%arg2] : memref<30xi64>
      %2 = arith.addi %arg3, %arg4 : i64
      %3 = arith.xori %arg4, %1 : i64
      %4 = affine.load %arg0[%arg2 + 1] : memref<30xi64>
      %5 = arith.addi %3, %2 : i64
      %6 = arith.xori %2, %4 : i64
      affine.yield %6, %5 : i64, i64
    }
    affine.store %0#0, %arg1[0] : memref<2xi64>
    affine.store %0#1, %arg1[1] : memref<2xi64>
    return
  }
}
// ===== bound_of_the_outer_loop | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 3)>
#map3 = affine_map<(d0) -> (d0 + 4)>
#map4 = affine_map<(d0) -> (d0 + 6)>
module {
  func.func @bound_of_the_outer_loop(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3, %arg3] : memref<?x?xf32>
      affine.store %0, %arg2[%arg3, %arg3] : memref<?x?xf32>
      %1 = affine.apply #map(%arg3)
      %2 = affine.load %arg1[%arg3, %1] : memref<?x?xf32>
      affine.store %2, %arg2[%arg3, %1] : memref<?x?xf32>
      %3 = affine.apply #map1(%arg3)
      %4 = affine.load %arg1[%arg3, %3] : memref<?x?xf32>
      affine.store %4, %arg2[%arg3, %3] : memref<?x?xf32>
      %5 = affine.apply #map2(%arg3)
      %6 = affine.load %arg1[%arg3, %5] : memref<?x?xf32>
      affine.store %6, %arg2[%arg3, %5] : memref<?x?xf32>
      affine.for %arg4 = #map3(%arg3) to #map4(%arg3) {
        %7 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        affine.store %7, %arg2[%arg3, %arg4] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== bound_of_the_outer_loop | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 6)>
#map2 = affine_map<(d0) -> (d0 + 1)>
#map3 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @bound_of_the_outer_loop(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = #map(%arg3) to #map1(%arg3) step 3 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        affine.store %0, %arg2[%arg3, %arg4] : memref<?x?xf32>
        %1 = affine.apply #map2(%arg4)
        %2 = affine.load %arg1[%arg3, %1] : memref<?x?xf32>
        affine.store %2, %arg2[%arg3, %1] : memref<?x?xf32>
        %3 = affine.apply #map3(%arg4)
        %4 = affine.load %arg1[%arg3, %3] : memref<?x?xf32>
        affine.store %4, %arg2[%arg3, %3] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== bound_of_the_outer_loop | mlir-opt 22 | affine-loop-unroll{unroll-factor=4 cleanup-unroll}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 3)>
#map3 = affine_map<(d0) -> (d0 + 4)>
#map4 = affine_map<(d0) -> (d0 + 5)>
module {
  func.func @bound_of_the_outer_loop(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg3, %arg3] : memref<?x?xf32>
      affine.store %0, %arg2[%arg3, %arg3] : memref<?x?xf32>
      %1 = affine.apply #map(%arg3)
      %2 = affine.load %arg1[%arg3, %1] : memref<?x?xf32>
      affine.store %2, %arg2[%arg3, %1] : memref<?x?xf32>
      %3 = affine.apply #map1(%arg3)
      %4 = affine.load %arg1[%arg3, %3] : memref<?x?xf32>
      affine.store %4, %arg2[%arg3, %3] : memref<?x?xf32>
      %5 = affine.apply #map2(%arg3)
      %6 = affine.load %arg1[%arg3, %5] : memref<?x?xf32>
      affine.store %6, %arg2[%arg3, %5] : memref<?x?xf32>
      %7 = affine.apply #map3(%arg3)
      %8 = affine.load %arg1[%arg3, %7] : memref<?x?xf32>
      affine.store %8, %arg2[%arg3, %7] : memref<?x?xf32>
      %9 = affine.apply #map4(%arg3)
      %10 = affine.load %arg1[%arg3, %9] : memref<?x?xf32>
      affine.store %10, %arg2[%arg3, %9] : memref<?x?xf32>
    }
    return
  }
}
// ===== bound_of_the_outer_loop | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 6)>
module {
  func.func @bound_of_the_outer_loop(%arg0: index, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>) {
    affine.for %arg3 = 0 to %arg0 {
      affine.for %arg4 = #map(%arg3) to #map1(%arg3) step 2 {
        %0 = affine.load %arg1[%arg3, %arg4] : memref<?x?xf32>
        affine.store %0, %arg2[%arg3, %arg4] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg3, %arg4 + 1] : memref<?x?xf32>
        affine.store %1, %arg2[%arg3, %arg4 + 1] : memref<?x?xf32>
      }
    }
    return
  }
}
// ===== step_of_three | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<()[s0] -> (((s0 ceildiv 3) floordiv 4) * 12)>
#map1 = affine_map<(d0) -> (d0 + 3)>
#map2 = affine_map<(d0) -> (d0 + 6)>
#map3 = affine_map<(d0) -> (d0 + 9)>
module {
  func.func @step_of_three(%arg0: memref<?xi32>, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    affine.for %arg2 = 0 to #map()[%dim] step 12 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
      %3 = affine.apply #map1(%arg2)
      %4 = affine.load %arg0[%3] : memref<?xi32>
      %5 = arith.index_cast %3 : index to i32
      %6 = arith.addi %4, %5 : i32
      affine.store %6, %arg1[%3] : memref<?xi32>
      %7 = affine.apply #map2(%arg2)
      %8 = affine.load %arg0[%7] : memref<?xi32>
      %9 = arith.index_cast %7 : index to i32
      %10 = arith.addi %8, %9 : i32
      affine.store %10, %arg1[%7] : memref<?xi32>
      %11 = affine.apply #map3(%arg2)
      %12 = affine.load %arg0[%11] : memref<?xi32>
      %13 = arith.index_cast %11 : index to i32
      %14 = arith.addi %12, %13 : i32
      affine.store %14, %arg1[%11] : memref<?xi32>
    }
    affine.for %arg2 = #map()[%dim] to %dim step 3 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== step_of_three | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<()[s0] -> (((s0 ceildiv 3) floordiv 3) * 9)>
#map1 = affine_map<(d0) -> (d0 + 3)>
#map2 = affine_map<(d0) -> (d0 + 6)>
module {
  func.func @step_of_three(%arg0: memref<?xi32>, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    affine.for %arg2 = 0 to #map()[%dim] step 9 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
      %3 = affine.apply #map1(%arg2)
      %4 = affine.load %arg0[%3] : memref<?xi32>
      %5 = arith.index_cast %3 : index to i32
      %6 = arith.addi %4, %5 : i32
      affine.store %6, %arg1[%3] : memref<?xi32>
      %7 = affine.apply #map2(%arg2)
      %8 = affine.load %arg0[%7] : memref<?xi32>
      %9 = arith.index_cast %7 : index to i32
      %10 = arith.addi %8, %9 : i32
      affine.store %10, %arg1[%7] : memref<?xi32>
    }
    affine.for %arg2 = #map()[%dim] to %dim step 3 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== step_of_three | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<()[s0] -> (((s0 ceildiv 3) floordiv 2) * 6)>
#map1 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @step_of_three(%arg0: memref<?xi32>, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    affine.for %arg2 = 0 to #map()[%dim] step 6 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
      %3 = affine.apply #map1(%arg2)
      %4 = affine.load %arg0[%arg2 + 3] : memref<?xi32>
      %5 = arith.index_cast %3 : index to i32
      %6 = arith.addi %4, %5 : i32
      affine.store %6, %arg1[%arg2 + 3] : memref<?xi32>
    }
    affine.for %arg2 = #map()[%dim] to %dim step 3 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== step_of_three | iree-opt 24 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<()[s0] -> (((s0 ceildiv 3) floordiv 4) * 12)>
#map1 = affine_map<(d0) -> (d0 + 3)>
#map2 = affine_map<(d0) -> (d0 + 6)>
#map3 = affine_map<(d0) -> (d0 + 9)>
#map4 = affine_map<()[s0] -> (((s0 ceildiv 3) floordiv 4) * 12, 0)>
module {
  func.func @step_of_three(%arg0: memref<?xi32>, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    affine.for %arg2 = 0 to #map()[%dim] step 12 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
      %3 = affine.apply #map1(%arg2)
      %4 = affine.load %arg0[%3] : memref<?xi32>
      %5 = arith.index_cast %3 : index to i32
      %6 = arith.addi %4, %5 : i32
      affine.store %6, %arg1[%3] : memref<?xi32>
      %7 = affine.apply #map2(%arg2)
      %8 = affine.load %arg0[%7] : memref<?xi32>
      %9 = arith.index_cast %7 : index to i32
      %10 = arith.addi %8, %9 : i32
      affine.store %10, %arg1[%7] : memref<?xi32>
      %11 = affine.apply #map3(%arg2)
      %12 = affine.load %arg0[%11] : memref<?xi32>
      %13 = arith.index_cast %11 : index to i32
      %14 = arith.addi %12, %13 : i32
      affine.store %14, %arg1[%11] : memref<?xi32>
    }
    affine.for %arg2 = max #map4()[%dim] to %dim step 3 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== step_of_three | iree-opt 24 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<()[s0] -> (((s0 ceildiv 3) floordiv 3) * 9)>
#map1 = affine_map<(d0) -> (d0 + 3)>
#map2 = affine_map<(d0) -> (d0 + 6)>
#map3 = affine_map<()[s0] -> (((s0 ceildiv 3) floordiv 3) * 9, 0)>
module {
  func.func @step_of_three(%arg0: memref<?xi32>, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    affine.for %arg2 = 0 to #map()[%dim] step 9 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
      %3 = affine.apply #map1(%arg2)
      %4 = affine.load %arg0[%3] : memref<?xi32>
      %5 = arith.index_cast %3 : index to i32
      %6 = arith.addi %4, %5 : i32
      affine.store %6, %arg1[%3] : memref<?xi32>
      %7 = affine.apply #map2(%arg2)
      %8 = affine.load %arg0[%7] : memref<?xi32>
      %9 = arith.index_cast %7 : index to i32
      %10 = arith.addi %8, %9 : i32
      affine.store %10, %arg1[%7] : memref<?xi32>
    }
    affine.for %arg2 = max #map3()[%dim] to %dim step 3 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== step_of_three | iree-opt 24 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<()[s0] -> (((s0 ceildiv 3) floordiv 2) * 6)>
#map1 = affine_map<(d0) -> (d0 + 3)>
#map2 = affine_map<()[s0] -> (((s0 ceildiv 3) floordiv 2) * 6, 0)>
module {
  func.func @step_of_three(%arg0: memref<?xi32>, %arg1: memref<?xi32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xi32>
    affine.for %arg2 = 0 to #map()[%dim] step 6 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
      %3 = affine.apply #map1(%arg2)
      %4 = affine.load %arg0[%arg2 + 3] : memref<?xi32>
      %5 = arith.index_cast %3 : index to i32
      %6 = arith.addi %4, %5 : i32
      affine.store %6, %arg1[%arg2 + 3] : memref<?xi32>
    }
    affine.for %arg2 = max #map2()[%dim] to %dim step 3 {
      %0 = affine.load %arg0[%arg2] : memref<?xi32>
      %1 = arith.index_cast %arg2 : index to i32
      %2 = arith.addi %0, %1 : i32
      affine.store %2, %arg1[%arg2] : memref<?xi32>
    }
    return
  }
}
// ===== product_rows_are_jammed | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @product_rows_are_jammed(%arg0: memref<?x?xf32>, %arg1: memref<?x16xf32>, %arg2: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_0 {
        affine.for %arg5 = 0 to 16 step 4 {
          %0 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          %1 = affine.load %arg1[%arg4, %arg5] : memref<?x16xf32>
          %2 = affine.load %arg2[%arg3, %arg5] : memref<?x16xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg2[%arg3, %arg5] : memref<?x16xf32>
          %5 = affine.apply #map(%arg5)
          %6 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          %7 = affine.load %arg1[%arg4, %5] : memref<?x16xf32>
          %8 = affine.load %arg2[%arg3, %5] : memref<?x16xf32>
          %9 = arith.mulf %6, %7 : f32
          %10 = arith.addf %8, %9 : f32
          affine.store %10, %arg2[%arg3, %5] : memref<?x16xf32>
          %11 = affine.apply #map1(%arg5)
          %12 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          %13 = affine.load %arg1[%arg4, %11] : memref<?x16xf32>
          %14 = affine.load %arg2[%arg3, %11] : memref<?x16xf32>
          %15 = arith.mulf %12, %13 : f32
          %16 = arith.addf %14, %15 : f32
          affine.store %16, %arg2[%arg3, %11] : memref<?x16xf32>
          %17 = affine.apply #map2(%arg5)
          %18 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          %19 = affine.load %arg1[%arg4, %17] : memref<?x16xf32>
          %20 = affine.load %arg2[%arg3, %17] : memref<?x16xf32>
          %21 = arith.mulf %18, %19 : f32
          %22 = arith.addf %20, %21 : f32
          affine.store %22, %arg2[%arg3, %17] : memref<?x16xf32>
        }
      }
    }
    return
  }
}
// ===== product_rows_are_jammed | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @product_rows_are_jammed(%arg0: memref<?x?xf32>, %arg1: memref<?x16xf32>, %arg2: memref<?x16xf32>) {
    %c15 = arith.constant 15 : index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_0 {
        affine.for %arg5 = 0 to 15 step 3 {
          %5 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          %6 = affine.load %arg1[%arg4, %arg5] : memref<?x16xf32>
          %7 = affine.load %arg2[%arg3, %arg5] : memref<?x16xf32>
          %8 = arith.mulf %5, %6 : f32
          %9 = arith.addf %7, %8 : f32
          affine.store %9, %arg2[%arg3, %arg5] : memref<?x16xf32>
          %10 = affine.apply #map(%arg5)
          %11 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          %12 = affine.load %arg1[%arg4, %10] : memref<?x16xf32>
          %13 = affine.load %arg2[%arg3, %10] : memref<?x16xf32>
          %14 = arith.mulf %11, %12 : f32
          %15 = arith.addf %13, %14 : f32
          affine.store %15, %arg2[%arg3, %10] : memref<?x16xf32>
          %16 = affine.apply #map1(%arg5)
          %17 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          %18 = affine.load %arg1[%arg4, %16] : memref<?x16xf32>
          %19 = affine.load %arg2[%arg3, %16] : memref<?x16xf32>
          %20 = arith.mulf %17, %18 : f32
          %21 = arith.addf %19, %20 : f32
          affine.store %21, %arg2[%arg3, %16] : memref<?x16xf32>
        }
        %0 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg4, %c15] : memref<?x16xf32>
        %2 = affine.load %arg2[%arg3, %c15] : memref<?x16xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %arg2[%arg3, %c15] : memref<?x16xf32>
      }
    }
    return
  }
}
// ===== product_rows_are_jammed | mlir-opt 22 | affine-loop-unroll{unroll-factor=-1}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 3)>
#map3 = affine_map<(d0) -> (d0 + 4)>
#map4 = affine_map<(d0) -> (d0 + 5)>
#map5 = affine_map<(d0) -> (d0 + 6)>
#map6 = affine_map<(d0) -> (d0 + 7)>
#map7 = affine_map<(d0) -> (d0 + 8)>
#map8 = affine_map<(d0) -> (d0 + 9)>
#map9 = affine_map<(d0) -> (d0 + 10)>
#map10 = affine_map<(d0) -> (d0 + 11)>
#map11 = affine_map<(d0) -> (d0 + 12)>
#map12 = affine_map<(d0) -> (d0 + 13)>
#map13 = affine_map<(d0) -> (d0 + 14)>
#map14 = affine_map<(d0) -> (d0 + 15)>
module {
  func.func @product_rows_are_jammed(%arg0: memref<?x?xf32>, %arg1: memref<?x16xf32>, %arg2: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c0_0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0_0 : memref<?x?xf32>
    %dim_1 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_1 {
        %0 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %1 = affine.load %arg1[%arg4, %c0] : memref<?x16xf32>
        %2 = affine.load %arg2[%arg3, %c0] : memref<?x16xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %arg2[%arg3, %c0] : memref<?x16xf32>
        %5 = affine.apply #map(%c0)
        %6 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %7 = affine.load %arg1[%arg4, %5] : memref<?x16xf32>
        %8 = affine.load %arg2[%arg3, %5] : memref<?x16xf32>
        %9 = arith.mulf %6, %7 : f32
        %10 = arith.addf %8, %9 : f32
        affine.store %10, %arg2[%arg3, %5] : memref<?x16xf32>
        %11 = affine.apply #map1(%c0)
        %12 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %13 = affine.load %arg1[%arg4, %11] : memref<?x16xf32>
        %14 = affine.load %arg2[%arg3, %11] : memref<?x16xf32>
        %15 = arith.mulf %12, %13 : f32
        %16 = arith.addf %14, %15 : f32
        affine.store %16, %arg2[%arg3, %11] : memref<?x16xf32>
        %17 = affine.apply #map2(%c0)
        %18 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %19 = affine.load %arg1[%arg4, %17] : memref<?x16xf32>
        %20 = affine.load %arg2[%arg3, %17] : memref<?x16xf32>
        %21 = arith.mulf %18, %19 : f32
        %22 = arith.addf %20, %21 : f32
        affine.store %22, %arg2[%arg3, %17] : memref<?x16xf32>
        %23 = affine.apply #map3(%c0)
        %24 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %25 = affine.load %arg1[%arg4, %23] : memref<?x16xf32>
        %26 = affine.load %arg2[%arg3, %23] : memref<?x16xf32>
        %27 = arith.mulf %24, %25 : f32
        %28 = arith.addf %26, %27 : f32
        affine.store %28, %arg2[%arg3, %23] : memref<?x16xf32>
        %29 = affine.apply #map4(%c0)
        %30 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %31 = affine.load %arg1[%arg4, %29] : memref<?x16xf32>
        %32 = affine.load %arg2[%arg3, %29] : memref<?x16xf32>
        %33 = arith.mulf %30, %31 : f32
        %34 = arith.addf %32, %33 : f32
        affine.store %34, %arg2[%arg3, %29] : memref<?x16xf32>
        %35 = affine.apply #map5(%c0)
        %36 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %37 = affine.load %arg1[%arg4, %35] : memref<?x16xf32>
        %38 = affine.load %arg2[%arg3, %35] : memref<?x16xf32>
        %39 = arith.mulf %36, %37 : f32
        %40 = arith.addf %38, %39 : f32
        affine.store %40, %arg2[%arg3, %35] : memref<?x16xf32>
        %41 = affine.apply #map6(%c0)
        %42 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %43 = affine.load %arg1[%arg4, %41] : memref<?x16xf32>
        %44 = affine.load %arg2[%arg3, %41] : memref<?x16xf32>
        %45 = arith.mulf %42, %43 : f32
        %46 = arith.addf %44, %45 : f32
        affine.store %46, %arg2[%arg3, %41] : memref<?x16xf32>
        %47 = affine.apply #map7(%c0)
        %48 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %49 = affine.load %arg1[%arg4, %47] : memref<?x16xf32>
        %50 = affine.load %arg2[%arg3, %47] : memref<?x16xf32>
        %51 = arith.mulf %48, %49 : f32
        %52 = arith.addf %50, %51 : f32
        affine.store %52, %arg2[%arg3, %47] : memref<?x16xf32>
        %53 = affine.apply #map8(%c0)
        %54 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %55 = affine.load %arg1[%arg4, %53] : memref<?x16xf32>
        %56 = affine.load %arg2[%arg3, %53] : memref<?x16xf32>
        %57 = arith.mulf %54, %55 : f32
        %58 = arith.addf %56, %57 : f32
        affine.store %58, %arg2[%arg3, %53] : memref<?x16xf32>
        %59 = affine.apply #map9(%c0)
        %60 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %61 = affine.load %arg1[%arg4, %59] : memref<?x16xf32>
        %62 = affine.load %arg2[%arg3, %59] : memref<?x16xf32>
        %63 = arith.mulf %60, %61 : f32
        %64 = arith.addf %62, %63 : f32
        affine.store %64, %arg2[%arg3, %59] : memref<?x16xf32>
        %65 = affine.apply #map10(%c0)
        %66 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %67 = affine.load %arg1[%arg4, %65] : memref<?x16xf32>
        %68 = affine.load %arg2[%arg3, %65] : memref<?x16xf32>
        %69 = arith.mulf %66, %67 : f32
        %70 = arith.addf %68, %69 : f32
        affine.store %70, %arg2[%arg3, %65] : memref<?x16xf32>
        %71 = affine.apply #map11(%c0)
        %72 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %73 = affine.load %arg1[%arg4, %71] : memref<?x16xf32>
        %74 = affine.load %arg2[%arg3, %71] : memref<?x16xf32>
        %75 = arith.mulf %72, %73 : f32
        %76 = arith.addf %74, %75 : f32
        affine.store %76, %arg2[%arg3, %71] : memref<?x16xf32>
        %77 = affine.apply #map12(%c0)
        %78 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %79 = affine.load %arg1[%arg4, %77] : memref<?x16xf32>
        %80 = affine.load %arg2[%arg3, %77] : memref<?x16xf32>
        %81 = arith.mulf %78, %79 : f32
        %82 = arith.addf %80, %81 : f32
        affine.store %82, %arg2[%arg3, %77] : memref<?x16xf32>
        %83 = affine.apply #map13(%c0)
        %84 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %85 = affine.load %arg1[%arg4, %83] : memref<?x16xf32>
        %86 = affine.load %arg2[%arg3, %83] : memref<?x16xf32>
        %87 = arith.mulf %84, %85 : f32
        %88 = arith.addf %86, %87 : f32
        affine.store %88, %arg2[%arg3, %83] : memref<?x16xf32>
        %89 = affine.apply #map14(%c0)
        %90 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
        %91 = affine.load %arg1[%arg4, %89] : memref<?x16xf32>
        %92 = affine.load %arg2[%arg3, %89] : memref<?x16xf32>
        %93 = arith.mulf %90, %91 : f32
        %94 = arith.addf %92, %93 : f32
        affine.store %94, %arg2[%arg3, %89] : memref<?x16xf32>
      }
    }
    return
  }
}
// ===== product_rows_are_jammed | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
module {
  func.func @product_rows_are_jammed(%arg0: memref<?x?xf32>, %arg1: memref<?x16xf32>, %arg2: memref<?x16xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    affine.for %arg3 = 0 to %dim {
      affine.for %arg4 = 0 to %dim_0 {
        affine.for %arg5 = 0 to 16 step 2 {
          %0 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          %1 = affine.load %arg1[%arg4, %arg5] : memref<?x16xf32>
          %2 = affine.load %arg2[%arg3, %arg5] : memref<?x16xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg2[%arg3, %arg5] : memref<?x16xf32>
          %5 = affine.load %arg0[%arg3, %arg4] : memref<?x?xf32>
          %6 = affine.load %arg1[%arg4, %arg5 + 1] : memref<?x16xf32>
          %7 = affine.load %arg2[%arg3, %arg5 + 1] : memref<?x16xf32>
          %8 = arith.mulf %5, %6 : f32
          %9 = arith.addf %7, %8 : f32
          affine.store %9, %arg2[%arg3, %arg5 + 1] : memref<?x16xf32>
        }
      }
    }
    return
  }
}
// ===== jam_of_row_sums | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @jam_of_row_sums(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg4 = 0 to %arg0 {
      %0 = affine.for %arg5 = 0 to #map()[%arg1] step 4 iter_args(%arg6 = %cst) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        %4 = affine.apply #map1(%arg5)
        %5 = affine.load %arg2[%arg4, %4] : memref<?x?xf32>
        %6 = arith.addf %3, %5 : f32
        %7 = affine.apply #map2(%arg5)
        %8 = affine.load %arg2[%arg4, %7] : memref<?x?xf32>
        %9 = arith.addf %6, %8 : f32
        %10 = affine.apply #map3(%arg5)
        %11 = affine.load %arg2[%arg4, %10] : memref<?x?xf32>
        %12 = arith.addf %9, %11 : f32
        affine.yield %12 : f32
      }
      %1 = affine.for %arg5 = #map()[%arg1] to %arg1 iter_args(%arg6 = %0) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        affine.yield %3 : f32
      }
      affine.store %1, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== jam_of_row_sums | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @jam_of_row_sums(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg4 = 0 to %arg0 {
      %0 = affine.for %arg5 = 0 to #map()[%arg1] step 3 iter_args(%arg6 = %cst) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        %4 = affine.apply #map1(%arg5)
        %5 = affine.load %arg2[%arg4, %4] : memref<?x?xf32>
        %6 = arith.addf %3, %5 : f32
        %7 = affine.apply #map2(%arg5)
        %8 = affine.load %arg2[%arg4, %7] : memref<?x?xf32>
        %9 = arith.addf %6, %8 : f32
        affine.yield %9 : f32
      }
      %1 = affine.for %arg5 = #map()[%arg1] to %arg1 iter_args(%arg6 = %0) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        affine.yield %3 : f32
      }
      affine.store %1, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== jam_of_row_sums | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
module {
  func.func @jam_of_row_sums(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg4 = 0 to %arg0 {
      %0 = affine.for %arg5 = 0 to #map()[%arg1] step 2 iter_args(%arg6 = %cst) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        %4 = affine.load %arg2[%arg4, %arg5 + 1] : memref<?x?xf32>
        %5 = arith.addf %3, %4 : f32
        affine.yield %5 : f32
      }
      %1 = affine.for %arg5 = #map()[%arg1] to %arg1 iter_args(%arg6 = %0) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        affine.yield %3 : f32
      }
      affine.store %1, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== jam_of_row_sums | iree-opt 24 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
#map4 = affine_map<()[s0] -> ((s0 floordiv 4) * 4, 0)>
module {
  func.func @jam_of_row_sums(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg4 = 0 to %arg0 {
      %0 = affine.for %arg5 = 0 to #map()[%arg1] step 4 iter_args(%arg6 = %cst) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        %4 = affine.apply #map1(%arg5)
        %5 = affine.load %arg2[%arg4, %4] : memref<?x?xf32>
        %6 = arith.addf %3, %5 : f32
        %7 = affine.apply #map2(%arg5)
        %8 = affine.load %arg2[%arg4, %7] : memref<?x?xf32>
        %9 = arith.addf %6, %8 : f32
        %10 = affine.apply #map3(%arg5)
        %11 = affine.load %arg2[%arg4, %10] : memref<?x?xf32>
        %12 = arith.addf %9, %11 : f32
        affine.yield %12 : f32
      }
      %1 = affine.for %arg5 = max #map4()[%arg1] to %arg1 iter_args(%arg6 = %0) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        affine.yield %3 : f32
      }
      affine.store %1, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== jam_of_row_sums | iree-opt 24 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<()[s0] -> ((s0 floordiv 3) * 3, 0)>
module {
  func.func @jam_of_row_sums(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg4 = 0 to %arg0 {
      %0 = affine.for %arg5 = 0 to #map()[%arg1] step 3 iter_args(%arg6 = %cst) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        %4 = affine.apply #map1(%arg5)
        %5 = affine.load %arg2[%arg4, %4] : memref<?x?xf32>
        %6 = arith.addf %3, %5 : f32
        %7 = affine.apply #map2(%arg5)
        %8 = affine.load %arg2[%arg4, %7] : memref<?x?xf32>
        %9 = arith.addf %6, %8 : f32
        affine.yield %9 : f32
      }
      %1 = affine.for %arg5 = max #map3()[%arg1] to %arg1 iter_args(%arg6 = %0) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        affine.yield %3 : f32
      }
      affine.store %1, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== jam_of_row_sums | iree-opt 24 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @jam_of_row_sums(%arg0: index, %arg1: index, %arg2: memref<?x?xf32>, %arg3: memref<?xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    affine.for %arg4 = 0 to %arg0 {
      %0 = affine.for %arg5 = 0 to #map()[%arg1] step 2 iter_args(%arg6 = %cst) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        %4 = affine.load %arg2[%arg4, %arg5 + 1] : memref<?x?xf32>
        %5 = arith.addf %3, %4 : f32
        affine.yield %5 : f32
      }
      %1 = affine.for %arg5 = max #map1()[%arg1] to %arg1 iter_args(%arg6 = %0) -> (f32) {
        %2 = affine.load %arg2[%arg4, %arg5] : memref<?x?xf32>
        %3 = arith.addf %arg6, %2 : f32
        affine.yield %3 : f32
      }
      affine.store %1, %arg3[%arg4] : memref<?xf32>
    }
    return
  }
}
// ===== constant_lower_bound | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<(d0) -> (d0 + 2)>
#map1 = affine_map<(d0) -> (d0 + 4)>
#map2 = affine_map<(d0) -> (d0 + 6)>
module {
  func.func @constant_lower_bound(%arg0: memref<40xf32>, %arg1: memref<40xf32>) {
    %c37 = arith.constant 37 : index
    affine.for %arg2 = 5 to 37 step 8 {
      %3 = affine.load %arg0[%arg2] : memref<40xf32>
      %4 = affine.load %arg0[%arg2 - 5] : memref<40xf32>
      %5 = arith.addf %3, %4 : f32
      affine.store %5, %arg1[%arg2 + 1] : memref<40xf32>
      %6 = affine.apply #map(%arg2)
      %7 = affine.load %arg0[%6] : memref<40xf32>
      %8 = affine.load %arg0[%6 - 5] : memref<40xf32>
      %9 = arith.addf %7, %8 : f32
      affine.store %9, %arg1[%6 + 1] : memref<40xf32>
      %10 = affine.apply #map1(%arg2)
      %11 = affine.load %arg0[%10] : memref<40xf32>
      %12 = affine.load %arg0[%10 - 5] : memref<40xf32>
      %13 = arith.addf %11, %12 : f32
      affine.store %13, %arg1[%10 + 1] : memref<40xf32>
      %14 = affine.apply #map2(%arg2)
      %15 = affine.load %arg0[%14] : memref<40xf32>
      %16 = affine.load %arg0[%14 - 5] : memref<40xf32>
      %17 = arith.addf %15, %16 : f32
      affine.store %17, %arg1[%14 + 1] : memref<40xf32>
    }
    %0 = affine.load %arg0[%c37] : memref<40xf32>
    %1 = affine.load %arg0[%c37 - 5] : memref<40xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %arg1[%c37 + 1] : memref<40xf32>
    return
  }
}
// ===== constant_lower_bound | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<(d0) -> (d0 + 2)>
#map1 = affine_map<(d0) -> (d0 + 4)>
module {
  func.func @constant_lower_bound(%arg0: memref<40xf32>, %arg1: memref<40xf32>) {
    affine.for %arg2 = 5 to 35 step 6 {
      %0 = affine.load %arg0[%arg2] : memref<40xf32>
      %1 = affine.load %arg0[%arg2 - 5] : memref<40xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %arg1[%arg2 + 1] : memref<40xf32>
      %3 = affine.apply #map(%arg2)
      %4 = affine.load %arg0[%3] : memref<40xf32>
      %5 = affine.load %arg0[%3 - 5] : memref<40xf32>
      %6 = arith.addf %4, %5 : f32
      affine.store %6, %arg1[%3 + 1] : memref<40xf32>
      %7 = affine.apply #map1(%arg2)
      %8 = affine.load %arg0[%7] : memref<40xf32>
      %9 = affine.load %arg0[%7 - 5] : memref<40xf32>
      %10 = arith.addf %8, %9 : f32
      affine.store %10, %arg1[%7 + 1] : memref<40xf32>
    }
    affine.for %arg2 = 35 to 38 step 2 {
      %0 = affine.load %arg0[%arg2] : memref<40xf32>
      %1 = affine.load %arg0[%arg2 - 5] : memref<40xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %arg1[%arg2 + 1] : memref<40xf32>
    }
    return
  }
}
// ===== constant_lower_bound | mlir-opt 22 | affine-loop-unroll{unroll-factor=4 cleanup-unroll}
#map = affine_map<(d0) -> (d0 + 2)>
#map1 = affine_map<(d0) -> (d0 + 4)>
#map2 = affine_map<(d0) -> (d0 + 6)>
#map3 = affine_map<(d0) -> (d0 + 8)>
#map4 = affine_map<(d0) -> (d0 + 10)>
#map5 = affine_map<(d0) -> (d0 + 12)>
#map6 = affine_map<(d0) -> (d0 + 14)>
#map7 = affine_map<(d0) -> (d0 + 16)>
#map8 = affine_map<(d0) -> (d0 + 18)>
#map9 = affine_map<(d0) -> (d0 + 20)>
#map10 = affine_map<(d0) -> (d0 + 22)>
#map11 = affine_map<(d0) -> (d0 + 24)>
#map12 = affine_map<(d0) -> (d0 + 26)>
#map13 = affine_map<(d0) -> (d0 + 28)>
#map14 = affine_map<(d0) -> (d0 + 30)>
#map15 = affine_map<(d0) -> (d0 + 32)>
module {
  func.func @constant_lower_bound(%arg0: memref<40xf32>, %arg1: memref<40xf32>) {
    %c5 = arith.constant 5 : index
    %0 = affine.load %arg0[%c5] : memref<40xf32>
    %1 = affine.load %arg0[%c5 - 5] : memref<40xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %arg1[%c5 + 1] : memref<40xf32>
    %3 = affine.apply #map(%c5)
    %4 = affine.load %arg0[%3] : memref<40xf32>
    %5 = affine.load %arg0[%3 - 5] : memref<40xf32>
    %6 = arith.addf %4, %5 : f32
    affine.store %6, %arg1[%3 + 1] : memref<40xf32>
    %7 = affine.apply #map1(%c5)
    %8 = affine.load %arg0[%7] : memref<40xf32>
    %9 = affine.load %arg0[%7 - 5] : memref<40xf32>
    %10 = arith.addf %8, %9 : f32
    affine.store %10, %arg1[%7 + 1] : memref<40xf32>
    %11 = affine.apply #map2(%c5)
    %12 = affine.load %arg0[%11] : memref<40xf32>
    %13 = affine.load %arg0[%11 - 5] : memref<40xf32>
    %14 = arith.addf %12, %13 : f32
    affine.store %14, %arg1[%11 + 1] : memref<40xf32>
    %15 = affine.apply #map3(%c5)
    %16 = affine.load %arg0[%15] : memref<40xf32>
    %17 = affine.load %arg0[%15 - 5] : memref<40xf32>
    %18 = arith.addf %16, %17 : f32
    affine.store %18, %arg1[%15 + 1] : memref<40xf32>
    %19 = affine.apply #map4(%c5)
    %20 = affine.load %arg0[%19] : memref<40xf32>
    %21 = affine.load %arg0[%19 - 5] : memref<40xf32>
    %22 = arith.addf %20, %21 : f32
    affine.store %22, %arg1[%19 + 1] : memref<40xf32>
    %23 = affine.apply #map5(%c5)
    %24 = affine.load %arg0[%23] : memref<40xf32>
    %25 = affine.load %arg0[%23 - 5] : memref<40xf32>
    %26 = arith.addf %24, %25 : f32
    affine.store %26, %arg1[%23 + 1] : memref<40xf32>
    %27 = affine.apply #map6(%c5)
    %28 = affine.load %arg0[%27] : memref<40xf32>
    %29 = affine.load %arg0[%27 - 5] : memref<40xf32>
    %30 = arith.addf %28, %29 : f32
    affine.store %30, %arg1[%27 + 1] : memref<40xf32>
    %31 = affine.apply #map7(%c5)
    %32 = affine.load %arg0[%31] : memref<40xf32>
    %33 = affine.load %arg0[%31 - 5] : memref<40xf32>
    %34 = arith.addf %32, %33 : f32
    affine.store %34, %arg1[%31 + 1] : memref<40xf32>
    %35 = affine.apply #map8(%c5)
    %36 = affine.load %arg0[%35] : memref<40xf32>
    %37 = affine.load %arg0[%35 - 5] : memref<40xf32>
    %38 = arith.addf %36, %37 : f32
    affine.store %38, %arg1[%35 + 1] : memref<40xf32>
    %39 = affine.apply #map9(%c5)
    %40 = affine.load %arg0[%39] : memref<40xf32>
    %41 = affine.load %arg0[%39 - 5] : memref<40xf32>
    %42 = arith.addf %40, %41 : f32
    affine.store %42, %arg1[%39 + 1] : memref<40xf32>
    %43 = affine.apply #map10(%c5)
    %44 = affine.load %arg0[%43] : memref<40xf32>
    %45 = affine.load %arg0[%43 - 5] : memref<40xf32>
    %46 = arith.addf %44, %45 : f32
    affine.store %46, %arg1[%43 + 1] : memref<40xf32>
    %47 = affine.apply #map11(%c5)
    %48 = affine.load %arg0[%47] : memref<40xf32>
    %49 = affine.load %arg0[%47 - 5] : memref<40xf32>
    %50 = arith.addf %48, %49 : f32
    affine.store %50, %arg1[%47 + 1] : memref<40xf32>
    %51 = affine.apply #map12(%c5)
    %52 = affine.load %arg0[%51] : memref<40xf32>
    %53 = affine.load %arg0[%51 - 5] : memref<40xf32>
    %54 = arith.addf %52, %53 : f32
    affine.store %54, %arg1[%51 + 1] : memref<40xf32>
    %55 = affine.apply #map13(%c5)
    %56 = affine.load %arg0[%55] : memref<40xf32>
    %57 = affine.load %arg0[%55 - 5] : memref<40xf32>
    %58 = arith.addf %56, %57 : f32
    affine.store %58, %arg1[%55 + 1] : memref<40xf32>
    %59 = affine.apply #map14(%c5)
    %60 = affine.load %arg0[%59] : memref<40xf32>
    %61 = affine.load %arg0[%59 - 5] : memref<40xf32>
    %62 = arith.addf %60, %61 : f32
    affine.store %62, %arg1[%59 + 1] : memref<40xf32>
    %63 = affine.apply #map15(%c5)
    %64 = affine.load %arg0[%63] : memref<40xf32>
    %65 = affine.load %arg0[%63 - 5] : memref<40xf32>
    %66 = arith.addf %64, %65 : f32
    affine.store %66, %arg1[%63 + 1] : memref<40xf32>
    return
  }
}
// ===== constant_lower_bound | mlir-opt 22 | affine-loop-unroll-jam{unroll-jam-factor=2}
#map = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @constant_lower_bound(%arg0: memref<40xf32>, %arg1: memref<40xf32>) {
    %c37 = arith.constant 37 : index
    affine.for %arg2 = 5 to 37 step 4 {
      %3 = affine.load %arg0[%arg2] : memref<40xf32>
      %4 = affine.load %arg0[%arg2 - 5] : memref<40xf32>
      %5 = arith.addf %3, %4 : f32
      affine.store %5, %arg1[%arg2 + 1] : memref<40xf32>
      %6 = affine.apply #map(%arg2)
      %7 = affine.load %arg0[%6] : memref<40xf32>
      %8 = affine.load %arg0[%6 - 5] : memref<40xf32>
      %9 = arith.addf %7, %8 : f32
      affine.store %9, %arg1[%6 + 1] : memref<40xf32>
    }
    %0 = affine.load %arg0[%c37] : memref<40xf32>
    %1 = affine.load %arg0[%c37 - 5] : memref<40xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %arg1[%c37 + 1] : memref<40xf32>
    return
  }
}
// ===== constant_lower_bound | mlir-opt 22 | affine-loop-unroll-jam{unroll-jam-factor=3},canonicalize
module {
  func.func @constant_lower_bound(%arg0: memref<40xf32>, %arg1: memref<40xf32>) {
    affine.for %arg2 = 5 to 35 step 6 {
      %0 = affine.load %arg0[%arg2] : memref<40xf32>
      %1 = affine.load %arg0[%arg2 - 5] : memref<40xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %arg1[%arg2 + 1] : memref<40xf32>
      %3 = affine.load %arg0[%arg2 + 2] : memref<40xf32>
      %4 = affine.load %arg0[%arg2 - 3] : memref<40xf32>
      %5 = arith.addf %3, %4 : f32
      affine.store %5, %arg1[%arg2 + 3] : memref<40xf32>
      %6 = affine.load %arg0[%arg2 + 4] : memref<40xf32>
      %7 = affine.load %arg0[%arg2 - 1] : memref<40xf32>
      %8 = arith.addf %6, %7 : f32
      affine.store %8, %arg1[%arg2 + 5] : memref<40xf32>
    }
    affine.for %arg2 = 35 to 38 step 2 {
      %0 = affine.load %arg0[%arg2] : memref<40xf32>
      %1 = affine.load %arg0[%arg2 - 5] : memref<40xf32>
      %2 = arith.addf %0, %1 : f32
      affine.store %2, %arg1[%arg2 + 1] : memref<40xf32>
    }
    return
  }
}
// ===== constant_lower_bound | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
module {
  func.func @constant_lower_bound(%arg0: memref<40xf32>, %arg1: memref<40xf32>) {
    affine.for %arg2 = 5 to 37 step 4 {
      %3 = affine.load %arg0[%arg2] : memref<40xf32>
      %4 = affine.load %arg0[%arg2 - 5] : memref<40xf32>
      %5 = arith.addf %3, %4 : f32
      affine.store %5, %arg1[%arg2 + 1] : memref<40xf32>
      %6 = affine.load %arg0[%arg2 + 2] : memref<40xf32>
      %7 = affine.load %arg0[%arg2 - 3] : memref<40xf32>
      %8 = arith.addf %6, %7 : f32
      affine.store %8, %arg1[%arg2 + 3] : memref<40xf32>
    }
    %0 = affine.load %arg0[37] : memref<40xf32>
    %1 = affine.load %arg0[32] : memref<40xf32>
    %2 = arith.addf %0, %1 : f32
    affine.store %2, %arg1[38] : memref<40xf32>
    return
  }
}
// ===== recurrence | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<()[s0] -> (((s0 - 1) floordiv 4) * 4 + 1)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @recurrence(%arg0: memref<?xf32>, %arg1: f32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 1 to #map()[%dim] step 4 {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
      %4 = affine.apply #map1(%arg2)
      %5 = affine.load %arg0[%4 - 1] : memref<?xf32>
      %6 = affine.load %arg0[%4] : memref<?xf32>
      %7 = arith.mulf %5, %arg1 : f32
      %8 = arith.addf %6, %7 : f32
      affine.store %8, %arg0[%4] : memref<?xf32>
      %9 = affine.apply #map2(%arg2)
      %10 = affine.load %arg0[%9 - 1] : memref<?xf32>
      %11 = affine.load %arg0[%9] : memref<?xf32>
      %12 = arith.mulf %10, %arg1 : f32
      %13 = arith.addf %11, %12 : f32
      affine.store %13, %arg0[%9] : memref<?xf32>
      %14 = affine.apply #map3(%arg2)
      %15 = affine.load %arg0[%14 - 1] : memref<?xf32>
      %16 = affine.load %arg0[%14] : memref<?xf32>
      %17 = arith.mulf %15, %arg1 : f32
      %18 = arith.addf %16, %17 : f32
      affine.store %18, %arg0[%14] : memref<?xf32>
    }
    affine.for %arg2 = #map()[%dim] to %dim {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== recurrence | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<()[s0] -> (((s0 - 1) floordiv 3) * 3 + 1)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @recurrence(%arg0: memref<?xf32>, %arg1: f32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 1 to #map()[%dim] step 3 {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
      %4 = affine.apply #map1(%arg2)
      %5 = affine.load %arg0[%4 - 1] : memref<?xf32>
      %6 = affine.load %arg0[%4] : memref<?xf32>
      %7 = arith.mulf %5, %arg1 : f32
      %8 = arith.addf %6, %7 : f32
      affine.store %8, %arg0[%4] : memref<?xf32>
      %9 = affine.apply #map2(%arg2)
      %10 = affine.load %arg0[%9 - 1] : memref<?xf32>
      %11 = affine.load %arg0[%9] : memref<?xf32>
      %12 = arith.mulf %10, %arg1 : f32
      %13 = arith.addf %11, %12 : f32
      affine.store %13, %arg0[%9] : memref<?xf32>
    }
    affine.for %arg2 = #map()[%dim] to %dim {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== recurrence | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<()[s0] -> (((s0 - 1) floordiv 2) * 2 + 1)>
module {
  func.func @recurrence(%arg0: memref<?xf32>, %arg1: f32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 1 to #map()[%dim] step 2 {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
      %4 = affine.load %arg0[%arg2] : memref<?xf32>
      %5 = affine.load %arg0[%arg2 + 1] : memref<?xf32>
      %6 = arith.mulf %4, %arg1 : f32
      %7 = arith.addf %5, %6 : f32
      affine.store %7, %arg0[%arg2 + 1] : memref<?xf32>
    }
    affine.for %arg2 = #map()[%dim] to %dim {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== recurrence | iree-opt 24 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<()[s0] -> (((s0 - 1) floordiv 4) * 4 + 1)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
#map4 = affine_map<()[s0] -> (((s0 - 1) floordiv 4) * 4 + 1, 1)>
module {
  func.func @recurrence(%arg0: memref<?xf32>, %arg1: f32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 1 to #map()[%dim] step 4 {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
      %4 = affine.apply #map1(%arg2)
      %5 = affine.load %arg0[%4 - 1] : memref<?xf32>
      %6 = affine.load %arg0[%4] : memref<?xf32>
      %7 = arith.mulf %5, %arg1 : f32
      %8 = arith.addf %6, %7 : f32
      affine.store %8, %arg0[%4] : memref<?xf32>
      %9 = affine.apply #map2(%arg2)
      %10 = affine.load %arg0[%9 - 1] : memref<?xf32>
      %11 = affine.load %arg0[%9] : memref<?xf32>
      %12 = arith.mulf %10, %arg1 : f32
      %13 = arith.addf %11, %12 : f32
      affine.store %13, %arg0[%9] : memref<?xf32>
      %14 = affine.apply #map3(%arg2)
      %15 = affine.load %arg0[%14 - 1] : memref<?xf32>
      %16 = affine.load %arg0[%14] : memref<?xf32>
      %17 = arith.mulf %15, %arg1 : f32
      %18 = arith.addf %16, %17 : f32
      affine.store %18, %arg0[%14] : memref<?xf32>
    }
    affine.for %arg2 = max #map4()[%dim] to %dim {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== recurrence | iree-opt 24 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<()[s0] -> (((s0 - 1) floordiv 3) * 3 + 1)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<()[s0] -> (((s0 - 1) floordiv 3) * 3 + 1, 1)>
module {
  func.func @recurrence(%arg0: memref<?xf32>, %arg1: f32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 1 to #map()[%dim] step 3 {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
      %4 = affine.apply #map1(%arg2)
      %5 = affine.load %arg0[%4 - 1] : memref<?xf32>
      %6 = affine.load %arg0[%4] : memref<?xf32>
      %7 = arith.mulf %5, %arg1 : f32
      %8 = arith.addf %6, %7 : f32
      affine.store %8, %arg0[%4] : memref<?xf32>
      %9 = affine.apply #map2(%arg2)
      %10 = affine.load %arg0[%9 - 1] : memref<?xf32>
      %11 = affine.load %arg0[%9] : memref<?xf32>
      %12 = arith.mulf %10, %arg1 : f32
      %13 = arith.addf %11, %12 : f32
      affine.store %13, %arg0[%9] : memref<?xf32>
    }
    affine.for %arg2 = max #map3()[%dim] to %dim {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== recurrence | iree-opt 24 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
#map = affine_map<()[s0] -> (((s0 - 1) floordiv 2) * 2 + 1)>
#map1 = affine_map<()[s0] -> (((s0 - 1) floordiv 2) * 2 + 1, 1)>
module {
  func.func @recurrence(%arg0: memref<?xf32>, %arg1: f32) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg2 = 1 to #map()[%dim] step 2 {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
      %4 = affine.load %arg0[%arg2] : memref<?xf32>
      %5 = affine.load %arg0[%arg2 + 1] : memref<?xf32>
      %6 = arith.mulf %4, %arg1 : f32
      %7 = arith.addf %5, %6 : f32
      affine.store %7, %arg0[%arg2 + 1] : memref<?xf32>
    }
    affine.for %arg2 = max #map1()[%dim] to %dim {
      %0 = affine.load %arg0[%arg2 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg2] : memref<?xf32>
      %2 = arith.mulf %0, %arg1 : f32
      %3 = arith.addf %1, %2 : f32
      affine.store %3, %arg0[%arg2] : memref<?xf32>
    }
    return
  }
}
// ===== grid_that_shifts_down | mlir-opt 22 | affine-loop-unroll{unroll-factor=4}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @grid_that_shifts_down(%arg0: index, %arg1: memref<?x12xf32>) {
    affine.for %arg2 = 0 to %arg0 {
      affine.for %arg3 = 0 to 12 step 4 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
        %1 = affine.apply #map(%arg3)
        %2 = affine.load %arg1[%arg2 + 1, %1] : memref<?x12xf32>
        affine.store %2, %arg1[%arg2, %1] : memref<?x12xf32>
        %3 = affine.apply #map1(%arg3)
        %4 = affine.load %arg1[%arg2 + 1, %3] : memref<?x12xf32>
        affine.store %4, %arg1[%arg2, %3] : memref<?x12xf32>
        %5 = affine.apply #map2(%arg3)
        %6 = affine.load %arg1[%arg2 + 1, %5] : memref<?x12xf32>
        affine.store %6, %arg1[%arg2, %5] : memref<?x12xf32>
      }
    }
    return
  }
}
// ===== grid_that_shifts_down | mlir-opt 22 | affine-loop-unroll{unroll-factor=3}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @grid_that_shifts_down(%arg0: index, %arg1: memref<?x12xf32>) {
    affine.for %arg2 = 0 to %arg0 {
      affine.for %arg3 = 0 to 12 step 3 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
        %1 = affine.apply #map(%arg3)
        %2 = affine.load %arg1[%arg2 + 1, %1] : memref<?x12xf32>
        affine.store %2, %arg1[%arg2, %1] : memref<?x12xf32>
        %3 = affine.apply #map1(%arg3)
        %4 = affine.load %arg1[%arg2 + 1, %3] : memref<?x12xf32>
        affine.store %4, %arg1[%arg2, %3] : memref<?x12xf32>
      }
    }
    return
  }
}
// ===== grid_that_shifts_down | mlir-opt 22 | affine-loop-unroll{unroll-factor=-1}
#map = affine_map<(d0) -> (d0 + 1)>
#map1 = affine_map<(d0) -> (d0 + 2)>
#map2 = affine_map<(d0) -> (d0 + 3)>
#map3 = affine_map<(d0) -> (d0 + 4)>
#map4 = affine_map<(d0) -> (d0 + 5)>
#map5 = affine_map<(d0) -> (d0 + 6)>
#map6 = affine_map<(d0) -> (d0 + 7)>
#map7 = affine_map<(d0) -> (d0 + 8)>
#map8 = affine_map<(d0) -> (d0 + 9)>
#map9 = affine_map<(d0) -> (d0 + 10)>
#map10 = affine_map<(d0) -> (d0 + 11)>
module {
  func.func @grid_that_shifts_down(%arg0: index, %arg1: memref<?x12xf32>) {
    %c0 = arith.constant 0 : index
    affine.for %arg2 = 0 to %arg0 {
      %0 = affine.load %arg1[%arg2 + 1, %c0] : memref<?x12xf32>
      affine.store %0, %arg1[%arg2, %c0] : memref<?x12xf32>
      %1 = affine.apply #map(%c0)
      %2 = affine.load %arg1[%arg2 + 1, %1] : memref<?x12xf32>
      affine.store %2, %arg1[%arg2, %1] : memref<?x12xf32>
      %3 = affine.apply #map1(%c0)
      %4 = affine.load %arg1[%arg2 + 1, %3] : memref<?x12xf32>
      affine.store %4, %arg1[%arg2, %3] : memref<?x12xf32>
      %5 = affine.apply #map2(%c0)
      %6 = affine.load %arg1[%arg2 + 1, %5] : memref<?x12xf32>
      affine.store %6, %arg1[%arg2, %5] : memref<?x12xf32>
      %7 = affine.apply #map3(%c0)
      %8 = affine.load %arg1[%arg2 + 1, %7] : memref<?x12xf32>
      affine.store %8, %arg1[%arg2, %7] : memref<?x12xf32>
      %9 = affine.apply #map4(%c0)
      %10 = affine.load %arg1[%arg2 + 1, %9] : memref<?x12xf32>
      affine.store %10, %arg1[%arg2, %9] : memref<?x12xf32>
      %11 = affine.apply #map5(%c0)
      %12 = affine.load %arg1[%arg2 + 1, %11] : memref<?x12xf32>
      affine.store %12, %arg1[%arg2, %11] : memref<?x12xf32>
      %13 = affine.apply #map6(%c0)
      %14 = affine.load %arg1[%arg2 + 1, %13] : memref<?x12xf32>
      affine.store %14, %arg1[%arg2, %13] : memref<?x12xf32>
      %15 = affine.apply #map7(%c0)
      %16 = affine.load %arg1[%arg2 + 1, %15] : memref<?x12xf32>
      affine.store %16, %arg1[%arg2, %15] : memref<?x12xf32>
      %17 = affine.apply #map8(%c0)
      %18 = affine.load %arg1[%arg2 + 1, %17] : memref<?x12xf32>
      affine.store %18, %arg1[%arg2, %17] : memref<?x12xf32>
      %19 = affine.apply #map9(%c0)
      %20 = affine.load %arg1[%arg2 + 1, %19] : memref<?x12xf32>
      affine.store %20, %arg1[%arg2, %19] : memref<?x12xf32>
      %21 = affine.apply #map10(%c0)
      %22 = affine.load %arg1[%arg2 + 1, %21] : memref<?x12xf32>
      affine.store %22, %arg1[%arg2, %21] : memref<?x12xf32>
    }
    return
  }
}
// ===== grid_that_shifts_down | mlir-opt 22 | affine-loop-unroll-jam{unroll-jam-factor=2}
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
module {
  func.func @grid_that_shifts_down(%arg0: index, %arg1: memref<?x12xf32>) {
    affine.for %arg2 = 0 to #map()[%arg0] step 2 {
      affine.for %arg3 = 0 to 12 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
        %1 = affine.apply #map1(%arg2)
        %2 = affine.load %arg1[%1 + 1, %arg3] : memref<?x12xf32>
        affine.store %2, %arg1[%1, %arg3] : memref<?x12xf32>
      }
    }
    affine.for %arg2 = #map()[%arg0] to %arg0 {
      affine.for %arg3 = 0 to 12 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
      }
    }
    return
  }
}
// ===== grid_that_shifts_down | mlir-opt 22 | affine-loop-unroll-jam{unroll-jam-factor=3},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>
module {
  func.func @grid_that_shifts_down(%arg0: index, %arg1: memref<?x12xf32>) {
    affine.for %arg2 = 0 to #map()[%arg0] step 3 {
      affine.for %arg3 = 0 to 12 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
        %1 = affine.load %arg1[%arg2 + 2, %arg3] : memref<?x12xf32>
        affine.store %1, %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        %2 = affine.load %arg1[%arg2 + 3, %arg3] : memref<?x12xf32>
        affine.store %2, %arg1[%arg2 + 2, %arg3] : memref<?x12xf32>
      }
    }
    affine.for %arg2 = #map()[%arg0] to %arg0 {
      affine.for %arg3 = 0 to 12 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
      }
    }
    return
  }
}
// ===== grid_that_shifts_down | mlir-opt 22 | affine-loop-unroll{unroll-factor=2 unroll-up-to-factor},canonicalize
module {
  func.func @grid_that_shifts_down(%arg0: index, %arg1: memref<?x12xf32>) {
    affine.for %arg2 = 0 to %arg0 {
      affine.for %arg3 = 0 to 12 step 2 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
        %1 = affine.load %arg1[%arg2 + 1, %arg3 + 1] : memref<?x12xf32>
        affine.store %1, %arg1[%arg2, %arg3 + 1] : memref<?x12xf32>
      }
    }
    return
  }
}
// ===== grid_that_shifts_down | iree-opt 24 | affine-loop-unroll-jam{unroll-jam-factor=2}
#map = affine_map<()[s0] -> ((s0 floordiv 2) * 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<()[s0] -> ((s0 floordiv 2) * 2, 0)>
module {
  func.func @grid_that_shifts_down(%arg0: index, %arg1: memref<?x12xf32>) {
    affine.for %arg2 = 0 to #map()[%arg0] step 2 {
      affine.for %arg3 = 0 to 12 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
        %1 = affine.apply #map1(%arg2)
        %2 = affine.load %arg1[%1 + 1, %arg3] : memref<?x12xf32>
        affine.store %2, %arg1[%1, %arg3] : memref<?x12xf32>
      }
    }
    affine.for %arg2 = max #map2()[%arg0] to %arg0 {
      affine.for %arg3 = 0 to 12 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
      }
    }
    return
  }
}
// ===== grid_that_shifts_down | iree-opt 24 | affine-loop-unroll-jam{unroll-jam-factor=3},canonicalize
#map = affine_map<()[s0] -> ((s0 floordiv 3) * 3)>
#map1 = affine_map<()[s0] -> ((s0 floordiv 3) * 3, 0)>
module {
  func.func @grid_that_shifts_down(%arg0: index, %arg1: memref<?x12xf32>) {
    affine.for %arg2 = 0 to #map()[%arg0] step 3 {
      affine.for %arg3 = 0 to 12 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
        %1 = affine.load %arg1[%arg2 + 2, %arg3] : memref<?x12xf32>
        affine.store %1, %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        %2 = affine.load %arg1[%arg2 + 3, %arg3] : memref<?x12xf32>
        affine.store %2, %arg1[%arg2 + 2, %arg3] : memref<?x12xf32>
      }
    }
    affine.for %arg2 = max #map1()[%arg0] to %arg0 {
      affine.for %arg3 = 0 to 12 {
        %0 = affine.load %arg1[%arg2 + 1, %arg3] : memref<?x12xf32>
        affine.store %0, %arg1[%arg2, %arg3] : memref<?x12xf32>
      }
    }
    return
  }
}
// ===== min_of_two_bounds | mlir-opt 22 | affine-parallelize
module {
  func.func @min_of_two_bounds(%arg0: index, %arg1: memref<20xf32>, %arg2: memref<20xf32>) {
    affine.parallel (%arg3) = (0) to (min(symbol(%arg0), 20)) {
      %0 = affine.load %arg1[%arg3] : memref<20xf32>
      %1 = arith.negf %0 : f32
      affine.store %1, %arg2[%arg3] : memref<20xf32>
    }
    return
  }
}
// ===== min_of_two_bounds | mlir-opt 22 | lower-affine
module {
  func.func @min_of_two_bounds(%arg0: index, %arg1: memref<20xf32>, %arg2: memref<20xf32>) {
    %c0 = arith.constant 0 : index
    %c20 = arith.constant 20 : index
    %0 = arith.minsi %arg0, %c20 : index
    %c1 = arith.constant 1 : index
    scf.for %arg3 = %c0 to %0 step %c1 {
      %1 = memref.load %arg1[%arg3] : memref<20xf32>
      %2 = arith.negf %1 : f32
      memref.store %2, %arg2[%arg3] : memref<20xf32>
    }
    return
  }
}
