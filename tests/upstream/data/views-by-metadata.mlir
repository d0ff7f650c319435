module {
  func.func @main(%arg0: memref<16x8xf32>, %arg1: memref<4x4xf32>) {
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<16x8xf32> -> memref<f32>, index, index, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [19], sizes: [4, 4], strides: [16, 1] : memref<f32> to memref<4x4xf32, strided<[16, 1], offset: 19>>
    memref.copy %reinterpret_cast, %arg1 : memref<4x4xf32, strided<[16, 1], offset: 19>> to memref<4x4xf32>
    %c0 = arith.constant 0 : index
    %0 = arith.addi %sizes#0, %strides#0 : index
    %1 = arith.index_cast %0 : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    memref.store %2, %arg1[%c0, %c0] : memref<4x4xf32>
    return
  }
}
