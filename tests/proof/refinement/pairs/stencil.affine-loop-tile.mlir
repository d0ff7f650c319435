#map = affine_map<()[s0] -> (s0 - 1)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0)[s0] -> (d0 + 4, s0 - 1)>
#map3 = affine_map<()[s0] -> (s0 - 2)>
#map4 = affine_map<(d0)[s0] -> (d0 + 4, s0 - 2)>
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg3 = 1 to #map()[%dim] step 4 {
      affine.for %arg4 = #map1(%arg3) to min #map2(%arg3)[%dim] {
        %0 = affine.load %arg0[%arg4 - 1] : memref<?xf32>
        %1 = affine.load %arg0[%arg4] : memref<?xf32>
        %2 = affine.load %arg0[%arg4 + 1] : memref<?xf32>
        %3 = arith.addf %0, %1 : f32
        %4 = arith.addf %3, %2 : f32
        affine.store %4, %arg1[%arg4] : memref<?xf32>
      }
    }
    affine.for %arg3 = 2 to #map3()[%dim] step 4 {
      affine.for %arg4 = #map1(%arg3) to min #map4(%arg3)[%dim] {
        %0 = affine.load %arg1[%arg4 - 1] : memref<?xf32>
        %1 = affine.load %arg1[%arg4] : memref<?xf32>
        %2 = affine.load %arg1[%arg4 + 1] : memref<?xf32>
        %3 = arith.addf %0, %1 : f32
        %4 = arith.addf %3, %2 : f32
        affine.store %4, %arg2[%arg4] : memref<?xf32>
      }
    }
    return
  }
}

