#map = affine_map<()[s0] -> (s0 - 1)>
#map1 = affine_map<()[s0] -> (s0 - 2)>
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg3 = 1 to #map()[%dim] {
      %0 = affine.load %arg0[%arg3 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg3] : memref<?xf32>
      %2 = affine.load %arg0[%arg3 + 1] : memref<?xf32>
      %3 = arith.addf %0, %1 : f32
      %4 = arith.addf %3, %2 : f32
      affine.store %4, %arg1[%arg3] : memref<?xf32>
    }
    affine.for %arg3 = 2 to #map1()[%dim] {
      %0 = affine.load %arg1[%arg3 - 1] : memref<?xf32>
      %1 = affine.load %arg1[%arg3] : memref<?xf32>
      %2 = affine.load %arg1[%arg3 + 1] : memref<?xf32>
      %3 = arith.addf %0, %1 : f32
      %4 = arith.addf %3, %2 : f32
      affine.store %4, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}

