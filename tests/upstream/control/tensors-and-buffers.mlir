func.func @main(%A: memref<6xf32>, %B: memref<6xf32>) -> tensor<6xf32> {
  %a = bufferization.to_tensor %A restrict : memref<6xf32> to tensor<6xf32>
  %s = arith.addf %a, %a : tensor<6xf32>
  bufferization.materialize_in_destination %s in restrict writable %B : (tensor<6xf32>, memref<6xf32>) -> ()
  %e = bufferization.alloc_tensor() copy(%s) : tensor<6xf32>
  %p = arith.mulf %e, %a : tensor<6xf32>
  return %p : tensor<6xf32>
}
