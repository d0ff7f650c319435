#map = affine_map<()[s0] -> (s0 - 2)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<()[s0] -> (s0 - 4)>
#map3 = affine_map<(d0) -> (d0 + 2)>
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg3 = 0 to #map()[%dim] {
      %0 = affine.apply #map1(%arg3)
      %1 = affine.load %arg0[%0 - 1] : memref<?xf32>
      %2 = affine.load %arg0[%0] : memref<?xf32>
      %3 = affine.load %arg0[%0 + 1] : memref<?xf32>
      %4 = arith.addf %1, %2 : f32
      %5 = arith.addf %4, %3 : f32
      affine.store %5, %arg1[%0] : memref<?xf32>
    }
    affine.for %arg3 = 0 to #map2()[%dim] {
      %0 = affine.apply #map3(%arg3)
      %1 = affine.load %arg1[%0 - 1] : memref<?xf32>
      %2 = affine.load %arg1[%0] : memref<?xf32>
      %3 = affine.load %arg1[%0 + 1] : memref<?xf32>
      %4 = arith.addf %1, %2 : f32
      %5 = arith.addf %4, %3 : f32
      affine.store %5, %arg2[%0] : memref<?xf32>
    }
    return
  }
}

