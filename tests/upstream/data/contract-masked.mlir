#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: memref<4x8xf32>, %arg1: memref<8xf32>, %arg2: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %0 = vector.load %arg0[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    %1 = vector.load %arg1[%c0] : memref<8xf32>, vector<8xf32>
    %2 = vector.load %arg2[%c0] : memref<4xf32>, vector<4xf32>
    %3 = vector.create_mask %c3, %c5 : vector<4x8xi1>
    %4 = vector.mask %3 { vector.contract {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "reduction"], kind = #vector.kind<add>} %0, %1, %2 : vector<4x8xf32>, vector<8xf32> into vector<4xf32> } : vector<4x8xi1> -> vector<4xf32>
    vector.store %4, %arg2[%c0] : memref<4xf32>, vector<4xf32>
    return
  }
}
