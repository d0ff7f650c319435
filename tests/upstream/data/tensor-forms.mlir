module {
  func.func @main(%arg0: tensor<8xf32>, %arg1: tensor<?x3xf32>, %arg2: tensor<8x6xf32>) -> (tensor<8x4xf32>, tensor<?x5xf32>, tensor<?xf32>, tensor<?x6xf32>, tensor<2x2xf32>, tensor<2x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %cst = arith.constant 5.000000e-01 : f32
    %generated = tensor.generate  {
    ^bb0(%arg3: index, %arg4: index):
      %extracted = tensor.extract %arg0[%arg3] : tensor<8xf32>
      %1 = arith.addi %arg3, %arg4 : index
      %2 = arith.index_cast %1 : index to i32
      %3 = arith.sitofp %2 : i32 to f32
      %4 = arith.addf %extracted, %3 : f32
      tensor.yield %4 : f32
    } : tensor<8x4xf32>
    %padded = tensor.pad %arg1 low[0, 1] high[%c1, 1] {
    ^bb0(%arg3: index, %arg4: index):
      %1 = arith.index_cast %arg4 : index to i32
      %2 = arith.sitofp %1 : i32 to f32
      tensor.yield %2 : f32
    } : tensor<?x3xf32> to tensor<?x5xf32>
    %collapsed = tensor.collapse_shape %arg1 [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
    %concat = tensor.concat dim(1) %arg1, %arg1 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
    %from_elements = tensor.from_elements %cst, %cst, %cst, %cst : tensor<2x2xf32>
    %cst_0 = arith.constant 1.000000e+00 : f32
    %inserted = tensor.insert %cst_0 into %from_elements[%c0, %c1] : tensor<2x2xf32>
    %cst_1 = arith.constant dense<[[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00], [5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]]> : tensor<2x4xf32>
    %expanded = tensor.expand_shape %arg0 [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
    %0 = arith.mulf %cst_1, %expanded : tensor<2x4xf32>
    return %generated, %padded, %collapsed, %concat, %inserted, %0 : tensor<8x4xf32>, tensor<?x5xf32>, tensor<?xf32>, tensor<?x6xf32>, tensor<2x2xf32>, tensor<2x4xf32>
  }
}
