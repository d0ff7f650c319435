#map = affine_map<()[s0] -> (((s0 - 2) floordiv 4) * 4 + 1)>
#map1 = affine_map<(d0) -> (d0 + 1)>
#map2 = affine_map<(d0) -> (d0 + 2)>
#map3 = affine_map<(d0) -> (d0 + 3)>
#map4 = affine_map<()[s0] -> (s0 - 1)>
#map5 = affine_map<()[s0] -> ((s0 floordiv 4) * 4 - 2)>
#map6 = affine_map<()[s0] -> (s0 - 2)>
module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    affine.for %arg3 = 1 to #map()[%dim] step 4 {
      %0 = affine.load %arg0[%arg3 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg3] : memref<?xf32>
      %2 = affine.load %arg0[%arg3 + 1] : memref<?xf32>
      %3 = arith.addf %0, %1 : f32
      %4 = arith.addf %3, %2 : f32
      affine.store %4, %arg1[%arg3] : memref<?xf32>
      %5 = affine.apply #map1(%arg3)
      %6 = affine.load %arg0[%5 - 1] : memref<?xf32>
      %7 = affine.load %arg0[%5] : memref<?xf32>
      %8 = affine.load %arg0[%5 + 1] : memref<?xf32>
      %9 = arith.addf %6, %7 : f32
      %10 = arith.addf %9, %8 : f32
      affine.store %10, %arg1[%5] : memref<?xf32>
      %11 = affine.apply #map2(%arg3)
      %12 = affine.load %arg0[%11 - 1] : memref<?xf32>
      %13 = affine.load %arg0[%11] : memref<?xf32>
      %14 = affine.load %arg0[%11 + 1] : memref<?xf32>
      %15 = arith.addf %12, %13 : f32
      %16 = arith.addf %15, %14 : f32
      affine.store %16, %arg1[%11] : memref<?xf32>
      %17 = affine.apply #map3(%arg3)
      %18 = affine.load %arg0[%17 - 1] : memref<?xf32>
      %19 = affine.load %arg0[%17] : memref<?xf32>
      %20 = affine.load %arg0[%17 + 1] : memref<?xf32>
      %21 = arith.addf %18, %19 : f32
      %22 = arith.addf %21, %20 : f32
      affine.store %22, %arg1[%17] : memref<?xf32>
    }
    affine.for %arg3 = #map()[%dim] to #map4()[%dim] {
      %0 = affine.load %arg0[%arg3 - 1] : memref<?xf32>
      %1 = affine.load %arg0[%arg3] : memref<?xf32>
      %2 = affine.load %arg0[%arg3 + 1] : memref<?xf32>
      %3 = arith.addf %0, %1 : f32
      %4 = arith.addf %3, %2 : f32
      affine.store %4, %arg1[%arg3] : memref<?xf32>
    }
    affine.for %arg3 = 2 to #map5()[%dim] step 4 {
      %0 = affine.load %arg1[%arg3 - 1] : memref<?xf32>
      %1 = affine.load %arg1[%arg3] : memref<?xf32>
      %2 = affine.load %arg1[%arg3 + 1] : memref<?xf32>
      %3 = arith.addf %0, %1 : f32
      %4 = arith.addf %3, %2 : f32
      affine.store %4, %arg2[%arg3] : memref<?xf32>
      %5 = affine.apply #map1(%arg3)
      %6 = affine.load %arg1[%5 - 1] : memref<?xf32>
      %7 = affine.load %arg1[%5] : memref<?xf32>
      %8 = affine.load %arg1[%5 + 1] : memref<?xf32>
      %9 = arith.addf %6, %7 : f32
      %10 = arith.addf %9, %8 : f32
      affine.store %10, %arg2[%5] : memref<?xf32>
      %11 = affine.apply #map2(%arg3)
      %12 = affine.load %arg1[%11 - 1] : memref<?xf32>
      %13 = affine.load %arg1[%11] : memref<?xf32>
      %14 = affine.load %arg1[%11 + 1] : memref<?xf32>
      %15 = arith.addf %12, %13 : f32
      %16 = arith.addf %15, %14 : f32
      affine.store %16, %arg2[%11] : memref<?xf32>
      %17 = affine.apply #map3(%arg3)
      %18 = affine.load %arg1[%17 - 1] : memref<?xf32>
      %19 = affine.load %arg1[%17] : memref<?xf32>
      %20 = affine.load %arg1[%17 + 1] : memref<?xf32>
      %21 = arith.addf %18, %19 : f32
      %22 = arith.addf %21, %20 : f32
      affine.store %22, %arg2[%17] : memref<?xf32>
    }
    affine.for %arg3 = #map5()[%dim] to #map6()[%dim] {
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

