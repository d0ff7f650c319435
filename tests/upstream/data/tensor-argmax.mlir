#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>) {
    %0:2 = linalg.generic {indexing_maps = [#map, #map1, #map1], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x8xf32>) outs(%arg1, %arg2 : tensor<4xf32>, tensor<4xi32>) {
    ^bb0(%in: f32, %out: f32, %out_0: i32):
      %1 = linalg.index 1 : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.cmpf ogt, %in, %out : f32
      %4 = arith.select %3, %in, %out : f32
      %5 = arith.select %3, %2, %out_0 : i32
      linalg.yield %4, %5 : f32, i32
    } -> (tensor<4xf32>, tensor<4xi32>)
    return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
  }
}
