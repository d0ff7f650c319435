#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0) -> ()>
module {
  func.func @main(%arg0: memref<4x8xf32>, %arg1: memref<8xf32>, %arg2: memref<4xf32>, %arg3: memref<f32>) {
    %c0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    %1 = vector.load %arg1[%c0] : memref<8xf32>, vector<8xf32>
    %2 = vector.load %arg2[%c0] : memref<4xf32>, vector<4xf32>
    %3 = vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"], kind = #vector.kind<maximumf>} %0, %1, %2 : vector<4x8xf32>, vector<8xf32> into vector<4xf32>
    vector.store %3, %arg2[%c0] : memref<4xf32>, vector<4xf32>
    %cst = arith.constant 1.000000e+00 : f32
    %4 = vector.contract {indexing_maps = [#map3, #map3, #map4], iterator_types = ["reduction"], kind = #vector.kind<add>} %1, %1, %cst : vector<8xf32>, vector<8xf32> into f32
    memref.store %4, %arg3[] : memref<f32>
    return
  }
}
