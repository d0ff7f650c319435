#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func @main(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %cst = arith.constant dense<0.000000e+00> : vector<8xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %cst_0 = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_1 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg2 = %c0 to %dim step %c4 {
      scf.for %arg3 = %c0 to %dim_1 step %c8 {
        %alloca = memref.alloca() : memref<vector<4x8xf32>>
        %alloca_2 = memref.alloca() : memref<vector<4x8xf32>>
        %0 = vector.type_cast %alloca : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
        scf.for %arg4 = %c0 to %c4 step %c1 {
          %dim_3 = memref.dim %arg0, %c0 : memref<?x?xf32>
          %4 = affine.apply #map(%arg2, %arg4)
          %5 = arith.cmpi sgt, %dim_3, %4 : index
          scf.if %5 {
            %6 = affine.apply #map(%arg2, %arg4)
            %7 = vector.transfer_read %arg0[%6, %arg3], %cst_0 : memref<?x?xf32>, vector<8xf32>
            memref.store %7, %0[%arg4] : memref<4xvector<8xf32>>
          } else {
            memref.store %cst, %0[%arg4] : memref<4xvector<8xf32>>
          }
        }
        %1 = memref.load %alloca[] : memref<vector<4x8xf32>>
        %2 = math.exp %1 : vector<4x8xf32>
        memref.store %2, %alloca_2[] : memref<vector<4x8xf32>>
        %3 = vector.type_cast %alloca_2 : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
        scf.for %arg4 = %c0 to %c4 step %c1 {
          %dim_3 = memref.dim %arg1, %c0 : memref<?x?xf32>
          %4 = affine.apply #map(%arg2, %arg4)
          %5 = arith.cmpi sgt, %dim_3, %4 : index
          scf.if %5 {
            %6 = affine.apply #map(%arg2, %arg4)
            %7 = memref.load %3[%arg4] : memref<4xvector<8xf32>>
            vector.transfer_write %7, %arg1[%6, %arg3] : vector<8xf32>, memref<?x?xf32>
          } else {
          }
        }
      }
    }
    return
  }
}
