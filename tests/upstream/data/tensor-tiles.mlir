#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
module {
  func.func @main(%arg0: tensor<?x?xf32>, %arg1: tensor<?x?xf32>, %arg2: tensor<?x?xf32>) -> tensor<?x?xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %dim = tensor.dim %arg0, %c0 : tensor<?x?xf32>
    %dim_0 = tensor.dim %arg0, %c1 : tensor<?x?xf32>
    %dim_1 = tensor.dim %arg1, %c1 : tensor<?x?xf32>
    %0 = scf.for %arg3 = %c0 to %dim step %c4 iter_args(%arg4 = %arg2) -> (tensor<?x?xf32>) {
      %1 = affine.min #map(%arg3)[%dim]
      %extracted_slice = tensor.extract_slice %arg0[%arg3, 0] [%1, %dim_0] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %extracted_slice_2 = tensor.extract_slice %arg4[%arg3, 0] [%1, %dim_1] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
      %2 = linalg.matmul ins(%extracted_slice, %arg1 : tensor<?x?xf32>, tensor<?x?xf32>) outs(%extracted_slice_2 : tensor<?x?xf32>) -> tensor<?x?xf32>
      %inserted_slice = tensor.insert_slice %2 into %arg4[%arg3, 0] [%1, %dim_1] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
      scf.yield %inserted_slice : tensor<?x?xf32>
    }
    return %0 : tensor<?x?xf32>
  }
}
