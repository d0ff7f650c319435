module {
  func.func @main(%arg0: tensor<8x6xf32>, %arg1: tensor<2x2x4x4xf32>, %arg2: tensor<8x6xf32>) -> (tensor<2x2x4x4xf32>, tensor<8x6xf32>) {
    %cst = arith.constant 5.000000e-01 : f32
    %pack = linalg.pack %arg0 padding_value(%cst : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 4] into %arg1 : tensor<8x6xf32> -> tensor<2x2x4x4xf32>
    %unpack = linalg.unpack %pack outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 4] into %arg2 : tensor<2x2x4x4xf32> -> tensor<8x6xf32>
    return %pack, %unpack : tensor<2x2x4x4xf32>, tensor<8x6xf32>
  }
}
