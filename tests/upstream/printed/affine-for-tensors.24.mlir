#loc2 = loc("affine-for-tensors.mlir":1:17)
#loc5 = loc("affine-for-tensors.mlir":3:21)
#loc6 = loc("affine-for-tensors.mlir":3:43)
#loc7 = loc("affine-for-tensors.mlir":3:55)
#map = affine_map<() -> (0)>
#map1 = affine_map<() -> (6)>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6xi32>) -> (tensor<6xi32>, i32), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6xi32> loc("affine-for-tensors.mlir":1:17)):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32 loc(#loc3)
    %1:2 = "affine.for"(%0, %arg0) <{lowerBoundMap = #map, operandSegmentSizes = array<i32: 0, 0, 2>, step = 1 : index, upperBoundMap = #map1}> ({
    ^bb0(%arg1: index loc("affine-for-tensors.mlir":3:21), %arg2: i32 loc("affine-for-tensors.mlir":3:43), %arg3: tensor<6xi32> loc("affine-for-tensors.mlir":3:55)):
      %2 = "tensor.extract"(%arg0, %arg1) : (tensor<6xi32>, index) -> i32 loc(#loc8)
      %3 = "arith.addi"(%arg2, %2) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32 loc(#loc9)
      %4 = "tensor.insert"(%3, %arg3, %arg1) : (i32, tensor<6xi32>, index) -> tensor<6xi32> loc(#loc10)
      "affine.yield"(%3, %4) : (i32, tensor<6xi32>) -> () loc(#loc11)
    }) : (i32, tensor<6xi32>) -> (i32, tensor<6xi32>) loc(#loc4)
    "func.return"(%1#1, %1#0) : (tensor<6xi32>, i32) -> () loc(#loc12)
  }) : () -> () loc(#loc1)
}) : () -> () loc(#loc)
#loc = loc("affine-for-tensors.mlir":0:0)
#loc1 = loc("affine-for-tensors.mlir":1:1)
#loc3 = loc("affine-for-tensors.mlir":2:11)
#loc4 = loc("affine-for-tensors.mlir":3:10)
#loc8 = loc("affine-for-tensors.mlir":4:10)
#loc9 = loc("affine-for-tensors.mlir":5:10)
#loc10 = loc("affine-for-tensors.mlir":6:10)
#loc11 = loc("affine-for-tensors.mlir":7:5)
#loc12 = loc("affine-for-tensors.mlir":9:3)

