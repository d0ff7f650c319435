module {
  func.func @main(%arg0: tensor<4x8xf32>, %arg1: tensor<4x8xf32>) -> tensor<4x8xf32> {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true]} : tensor<4x8xf32>, vector<4x8xf32>
    %1 = arith.addf %0, %0 : vector<4x8xf32>
    %2 = vector.create_mask %c3, %c3 : vector<4x8xi1>
    %3 = vector.mask %2 { vector.transfer_write %1, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<4x8xf32>, tensor<4x8xf32> } : vector<4x8xi1> -> tensor<4x8xf32>
    %4 = vector.transfer_write %1, %3[%c3, %c0] {in_bounds = [false, true]} : vector<4x8xf32>, tensor<4x8xf32>
    return %4 : tensor<4x8xf32>
  }
}
