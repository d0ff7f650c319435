module {
  func.func @main(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>, %arg2: tensor<3x4xi32>) -> (tensor<3x4xf32>, tensor<3x4xi32>) {
    %0 = arith.cmpf ogt, %arg0, %arg1 : tensor<3x4xf32>
    %cst = arith.constant dense<0> : tensor<3x4xi32>
    %1 = arith.cmpi slt, %arg2, %cst : tensor<3x4xi32>
    %2 = arith.andi %0, %1 : tensor<3x4xi1>
    %3 = arith.select %2, %arg0, %arg1 : tensor<3x4xi1>, tensor<3x4xf32>
    %4 = arith.extui %0 : tensor<3x4xi1> to tensor<3x4xi32>
    return %3, %4 : tensor<3x4xf32>, tensor<3x4xi32>
  }
}

