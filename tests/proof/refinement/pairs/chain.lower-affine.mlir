module {
  func.func @f(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>, %arg2: memref<?x?xf32>, %arg3: memref<?x?xf32>, %arg4: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32>
    %dim_2 = memref.dim %arg3, %c1 : memref<?x?xf32>
    %c0_3 = arith.constant 0 : index
    %c1_4 = arith.constant 1 : index
    scf.for %arg5 = %c0_3 to %dim step %c1_4 {
      %c0_7 = arith.constant 0 : index
      %c1_8 = arith.constant 1 : index
      scf.for %arg6 = %c0_7 to %dim_1 step %c1_8 {
        %c0_9 = arith.constant 0 : index
        %c1_10 = arith.constant 1 : index
        scf.for %arg7 = %c0_9 to %dim_0 step %c1_10 {
          %0 = memref.load %arg0[%arg5, %arg7] : memref<?x?xf32>
          %1 = memref.load %arg1[%arg7, %arg6] : memref<?x?xf32>
          %2 = memref.load %arg2[%arg5, %arg6] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          memref.store %4, %arg2[%arg5, %arg6] : memref<?x?xf32>
        }
      }
    }
    %c0_5 = arith.constant 0 : index
    %c1_6 = arith.constant 1 : index
    scf.for %arg5 = %c0_5 to %dim step %c1_6 {
      %c0_7 = arith.constant 0 : index
      %c1_8 = arith.constant 1 : index
      scf.for %arg6 = %c0_7 to %dim_2 step %c1_8 {
        %c0_9 = arith.constant 0 : index
        %c1_10 = arith.constant 1 : index
        scf.for %arg7 = %c0_9 to %dim_1 step %c1_10 {
          %0 = memref.load %arg2[%arg5, %arg7] : memref<?x?xf32>
          %1 = memref.load %arg3[%arg7, %arg6] : memref<?x?xf32>
          %2 = memref.load %arg4[%arg5, %arg6] : memref<?x?xf32>
          %3 = arith.mulf %0, %1 : f32
          %4 = arith.addf %2, %3 : f32
          memref.store %4, %arg4[%arg5, %arg6] : memref<?x?xf32>
        }
      }
    }
    return
  }
}

