#map = affine_map<()[s0] -> (s0 - 1)>
#map1 = affine_map<(d0) -> (d0 - 1)>
#map2 = affine_map<(d0) -> (d0 + 1)>
#map3 = affine_map<()[s0] -> (s0 - 2)>
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg3 = 1 to #map()[%dim] step 8 {
      %0 = affine.apply #map1(%arg3)
      %1 = ub.poison : f32
      %2 = vector.transfer_read %arg0[%0], %1 : memref<?xf32>, vector<8xf32>
      %3 = ub.poison : f32
      %4 = vector.transfer_read %arg0[%arg3], %3 : memref<?xf32>, vector<8xf32>
      %5 = affine.apply #map2(%arg3)
      %6 = ub.poison : f32
      %7 = vector.transfer_read %arg0[%5], %6 : memref<?xf32>, vector<8xf32>
      %8 = arith.addf %2, %4 : vector<8xf32>
      %9 = arith.addf %8, %7 : vector<8xf32>
      vector.transfer_write %9, %arg1[%arg3] : vector<8xf32>, memref<?xf32>
    }
    affine.for %arg3 = 2 to #map3()[%dim] step 8 {
      %0 = affine.apply #map1(%arg3)
      %1 = ub.poison : f32
      %2 = vector.transfer_read %arg1[%0], %1 : memref<?xf32>, vector<8xf32>
      %3 = ub.poison : f32
      %4 = vector.transfer_read %arg1[%arg3], %3 : memref<?xf32>, vector<8xf32>
      %5 = affine.apply #map2(%arg3)
      %6 = ub.poison : f32
      %7 = vector.transfer_read %arg1[%5], %6 : memref<?xf32>, vector<8xf32>
      %8 = arith.addf %2, %4 : vector<8xf32>
      %9 = arith.addf %8, %7 : vector<8xf32>
      vector.transfer_write %9, %arg2[%arg3] : vector<8xf32>, memref<?xf32>
    }
    return
  }
}

