#map = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>, %arg4: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32>
    %dim_2 = memref.dim %arg3, %c1 : memref<?x?xf32>
    affine.for %arg5 = 0 to %dim {
      affine.for %arg6 = 0 to %dim_1 {
        affine.for %arg7 = 0 to #map()[%dim_0] step 4 {
          %0 = affine.load %arg0[%arg5, %arg7] : memref<?x?xf32>
          %1 = affine.load %arg1[%arg7, %arg6] : memref<?x?xf32>
          %2 = affine.load %arg2[%arg5, %arg6] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg2[%arg5, %arg6] : memref<?x?xf32>
          %5 = affine.apply #map1(%arg7)
          %6 = affine.load %arg0[%arg5, %5] : memref<?x?xf32>
          %7 = affine.load %arg1[%5, %arg6] : memref<?x?xf32>
          %8 = affine.load %arg2[%arg5, %arg6] : memref<?x?xf32>
          %9 = arith.mulf %6, %7 : f32
          %10 = arith.addf %8, %9 : f32
          affine.store %10, %arg2[%arg5, %arg6] : memref<?x?xf32>
          %11 = affine.apply #map2(%arg7)
          %12 = affine.load %arg0[%arg5, %11] : memref<?x?xf32>
          %13 = affine.load %arg1[%11, %arg6] : memref<?x?xf32>
          %14 = affine.load %arg2[%arg5, %arg6] : memref<?x?xf32>
          %15 = arith.mulf %12, %13 : f32
          %16 = arith.addf %14, %15 : f32
          affine.store %16, %arg2[%arg5, %arg6] : memref<?x?xf32>
          %17 = affine.apply #map3(%arg7)
          %18 = affine.load %arg0[%arg5, %17] : memref<?x?xf32>
          %19 = affine.load %arg1[%17, %arg6] : memref<?x?xf32>
          %20 = affine.load %arg2[%arg5, %arg6] : memref<?x?xf32>
          %21 = arith.mulf %18, %19 : f32
          %22 = arith.addf %20, %21 : f32
          affine.store %22, %arg2[%arg5, %arg6] : memref<?x?xf32>
        }
        affine.for %arg7 = #map()[%dim_0] to %dim_0 {
          %0 = affine.load %arg0[%arg5, %arg7] : memref<?x?xf32>
          %1 = affine.load %arg1[%arg7, %arg6] : memref<?x?xf32>
          %2 = affine.load %arg2[%arg5, %arg6] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg2[%arg5, %arg6] : memref<?x?xf32>
        }
      }
    }
    affine.for %arg5 = 0 to %dim {
      affine.for %arg6 = 0 to %dim_2 {
        affine.for %arg7 = 0 to #map()[%dim_1] step 4 {
          %0 = affine.load %arg2[%arg5, %arg7] : memref<?x?xf32>
          %1 = affine.load %arg3[%arg7, %arg6] : memref<?x?xf32>
          %2 = affine.load %arg4[%arg5, %arg6] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg4[%arg5, %arg6] : memref<?x?xf32>
          %5 = affine.apply #map1(%arg7)
          %6 = affine.load %arg2[%arg5, %5] : memref<?x?xf32>
          %7 = affine.load %arg3[%5, %arg6] : memref<?x?xf32>
          %8 = affine.load %arg4[%arg5, %arg6] : memref<?x?xf32>
          %9 = arith.mulf %6, %7 : f32
          %10 = arith.addf %8, %9 : f32
          affine.store %10, %arg4[%arg5, %arg6] : memref<?x?xf32>
          %11 = affine.apply #map2(%arg7)
          %12 = affine.load %arg2[%arg5, %11] : memref<?x?xf32>
          %13 = affine.load %arg3[%11, %arg6] : memref<?x?xf32>
          %14 = affine.load %arg4[%arg5, %arg6] : memref<?x?xf32>
          %15 = arith.mulf %12, %13 : f32
          %16 = arith.addf %14, %15 : f32
          affine.store %16, %arg4[%arg5, %arg6] : memref<?x?xf32>
          %17 = affine.apply #map3(%arg7)
          %18 = affine.load %arg2[%arg5, %17] : memref<?x?xf32>
          %19 = affine.load %arg3[%17, %arg6] : memref<?x?xf32>
          %20 = affine.load %arg4[%arg5, %arg6] : memref<?x?xf32>
          %21 = arith.mulf %18, %19 : f32
          %22 = arith.addf %20, %21 : f32
          affine.store %22, %arg4[%arg5, %arg6] : memref<?x?xf32>
        }
        affine.for %arg7 = #map()[%dim_1] to %dim_1 {
          %0 = affine.load %arg2[%arg5, %arg7] : memref<?x?xf32>
          %1 = affine.load %arg3[%arg7, %arg6] : memref<?x?xf32>
          %2 = affine.load %arg4[%arg5, %arg6] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          affine.store %4, %arg4[%arg5, %arg6] : memref<?x?xf32>
        }
      }
    }
    return
  }
}

