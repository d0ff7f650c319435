module {
  func.func @main(%arg0: memref<8xf32>, %arg1: memref<8xf32>, %arg2: memref<8xf32>) {
    %0 = bufferization.to_tensor %arg0 restrict : memref<8xf32> to tensor<8xf32>
    %1 = bufferization.alloc_tensor() : tensor<8xf32>
    %2 = linalg.add ins(%0, %0 : tensor<8xf32>, tensor<8xf32>) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
    bufferization.materialize_in_destination %2 in restrict writable %arg1 : (tensor<8xf32>, memref<8xf32>) -> ()
    %3 = bufferization.alloc_tensor() copy(%2) : tensor<8xf32>
    %4 = bufferization.to_buffer %3 : tensor<8xf32> to memref<8xf32>
    %5 = bufferization.clone %4 : memref<8xf32> to memref<8xf32>
    memref.copy %5, %arg2 : memref<8xf32> to memref<8xf32>
    return
  }
}
