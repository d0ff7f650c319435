#map = affine_map<(d0) -> (d0 + 3)>
module {
  func.func @main(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>) {
    %cst = arith.constant dense<7.000000e+00> : vector<4xf32>
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %cst_0 = arith.constant 7.000000e+00 : f32
    %c3 = arith.constant 3 : index
    %c0 = arith.constant 0 : index
    %alloca = memref.alloca() : memref<vector<16x4xf32>>
    %alloca_1 = memref.alloca() : memref<vector<16x4xf32>>
    %0 = vector.type_cast %alloca : memref<vector<16x4xf32>> to memref<16xvector<4xf32>>
    scf.for %arg2 = %c0 to %c16 step %c1 {
      %8 = affine.apply #map(%arg2)
      %9 = arith.cmpi slt, %8, %c16 : index
      scf.if %9 {
        %10 = affine.apply #map(%arg2)
        %11 = vector.transfer_read %arg0[%10, %c0], %cst_0 {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
        memref.store %11, %0[%arg2] : memref<16xvector<4xf32>>
      } else {
        memref.store %cst, %0[%arg2] : memref<16xvector<4xf32>>
      }
    }
    %1 = memref.load %alloca[] : memref<vector<16x4xf32>>
    %2 = vector.transpose %1, [1, 0] : vector<16x4xf32> to vector<4x16xf32>
    %3 = vector.transfer_read %arg0[%c0, %c3], %cst_0 : memref<16x16xf32>, vector<16xf32>
    %4 = vector.broadcast %3 : vector<16xf32> to vector<4x16xf32>
    %5 = arith.addf %2, %4 : vector<4x16xf32>
    %6 = vector.transpose %5, [1, 0] : vector<4x16xf32> to vector<16x4xf32>
    memref.store %6, %alloca_1[] : memref<vector<16x4xf32>>
    %7 = vector.type_cast %alloca_1 : memref<vector<16x4xf32>> to memref<16xvector<4xf32>>
    scf.for %arg2 = %c0 to %c16 step %c1 {
      %8 = affine.apply #map(%arg2)
      %9 = arith.cmpi slt, %8, %c16 : index
      scf.if %9 {
        %10 = affine.apply #map(%arg2)
        %11 = memref.load %7[%arg2] : memref<16xvector<4xf32>>
        vector.transfer_write %11, %arg1[%10, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
      } else {
      }
    }
    return
  }
}
