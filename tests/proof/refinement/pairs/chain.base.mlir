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
        affine.for %arg7 = 0 to %dim_0 {
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
        affine.for %arg7 = 0 to %dim_1 {
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

