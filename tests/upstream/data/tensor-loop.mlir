module {
  func.func @main(%arg0: tensor<8x8xf32>, %arg1: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %cst = arith.constant 2.000000e+00 : f32
    %0:2 = scf.for %arg2 = %c0 to %c8 step %c1 iter_args(%arg3 = %arg0, %arg4 = %arg1) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
      %extracted_slice = tensor.extract_slice %arg3[%arg2, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<8xf32>
      %1 = tensor.empty() : tensor<8xf32>
      %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
      %3 = linalg.mul ins(%extracted_slice, %2 : tensor<8xf32>, tensor<8xf32>) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
      %inserted_slice = tensor.insert_slice %3 into %arg3[%arg2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
      %inserted_slice_0 = tensor.insert_slice %extracted_slice into %arg4[0, %arg2] [8, 1] [1, 1] : tensor<8xf32> into tensor<8x8xf32>
      scf.yield %inserted_slice_0, %inserted_slice : tensor<8x8xf32>, tensor<8x8xf32>
    }
    return %0#0, %0#1 : tensor<8x8xf32>, tensor<8x8xf32>
  }
}
