#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: memref<4x8xf32, strided<[?, ?], offset: ?>>, %arg1: memref<4xf32, strided<[?], offset: ?>>, %arg2: memref<4xi32, strided<[?], offset: ?>>) -> (memref<4xf32, strided<[?], offset: ?>>, memref<4xi32, strided<[?], offset: ?>>) {
    linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : memref<4x8xf32, strided<[?, ?], offset: ?>>) outs(%arg1, %arg2 : memref<4xf32, strided<[?], offset: ?>>, memref<4xi32, strided<[?], offset: ?>>) {
    ^bb0(%in: f32, %out: f32, %out_0: i32):
      %0 = linalg.index 1 : index
      %1 = arith.index_cast %0 : index to i32
      %2 = arith.cmpf ogt, %in, %out : f32
      %3 = arith.select %2, %in, %out : f32
      %4 = arith.select %2, %1, %out_0 : i32
      linalg.yield %3, %4 : f32, i32
    }
    return %arg1, %arg2 : memref<4xf32, strided<[?], offset: ?>>, memref<4xi32, strided<[?], offset: ?>>
  }
}
