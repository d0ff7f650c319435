module {
  func.func @main(%arg0: tensor<4x4xf32>, %arg1: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c2 = arith.constant 2 : index
    %0 = scf.for %arg2 = %c0 to %c4 step %c1 iter_args(%arg3 = %arg0) -> (tensor<4x4xf32>) {
      %1 = arith.cmpi slt, %arg2, %c2 : index
      %2 = scf.if %1 -> (tensor<4x4xf32>) {
        %extracted = tensor.extract %arg1[%arg2, %arg2] : tensor<4x4xf32>
        %inserted = tensor.insert %extracted into %arg3[%arg2, %c0] : tensor<4x4xf32>
        scf.yield %inserted : tensor<4x4xf32>
      } else {
        scf.yield %arg3 : tensor<4x4xf32>
      }
      %3 = arith.addf %2, %arg1 : tensor<4x4xf32>
      scf.yield %3 : tensor<4x4xf32>
    }
    return %0 : tensor<4x4xf32>
  }
}
