#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
module {
  func.func @main(%arg0: memref<4x8xf32>, %arg1: memref<8x4xf32>, %arg2: memref<4x4xf32>) {
    %c8 = arith.constant 8 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %cst = arith.constant 0.000000e+00 : f32
    %c0 = arith.constant 0 : index
    %alloca = memref.alloca() : memref<vector<4x8xf32>>
    %alloca_0 = memref.alloca() : memref<vector<8x4xf32>>
    %alloca_1 = memref.alloca() : memref<vector<4x4xf32>>
    %alloca_2 = memref.alloca() : memref<vector<4x4xf32>>
    %0 = vector.type_cast %alloca : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %9 = vector.transfer_read %arg0[%arg3, %c0], %cst {in_bounds = [true]} : memref<4x8xf32>, vector<8xf32>
      memref.store %9, %0[%arg3] : memref<4xvector<8xf32>>
    }
    %1 = memref.load %alloca[] : memref<vector<4x8xf32>>
    %2 = vector.type_cast %alloca_0 : memref<vector<8x4xf32>> to memref<8xvector<4xf32>>
    scf.for %arg3 = %c0 to %c8 step %c1 {
      %9 = vector.transfer_read %arg1[%arg3, %c0], %cst {in_bounds = [true]} : memref<8x4xf32>, vector<4xf32>
      memref.store %9, %2[%arg3] : memref<8xvector<4xf32>>
    }
    %3 = memref.load %alloca_0[] : memref<vector<8x4xf32>>
    %4 = vector.type_cast %alloca_1 : memref<vector<4x4xf32>> to memref<4xvector<4xf32>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %9 = vector.transfer_read %arg2[%arg3, %c0], %cst {in_bounds = [true]} : memref<4x4xf32>, vector<4xf32>
      memref.store %9, %4[%arg3] : memref<4xvector<4xf32>>
    }
    %5 = memref.load %alloca_1[] : memref<vector<4x4xf32>>
    %6 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %1, %3, %5 : vector<4x8xf32>, vector<8x4xf32> into vector<4x4xf32>
    %7 = vector.transpose %6, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
    memref.store %7, %alloca_2[] : memref<vector<4x4xf32>>
    %8 = vector.type_cast %alloca_2 : memref<vector<4x4xf32>> to memref<4xvector<4xf32>>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %9 = memref.load %8[%arg3] : memref<4xvector<4xf32>>
      vector.transfer_write %9, %arg2[%arg3, %c0] {in_bounds = [true]} : vector<4xf32>, memref<4x4xf32>
    }
    return
  }
}
