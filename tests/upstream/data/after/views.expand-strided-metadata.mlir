module {
  func.func @main(%arg0: memref<16x16xf32>, %arg1: memref<4x4xf32>) {
    %cst = arith.constant 2.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e+00 : f32
    %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<16x16xf32> -> memref<f32>, index, index, index, index, index
    %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [35], sizes: [4, 4], strides: [32, 1] : memref<f32> to memref<4x4xf32, strided<[32, 1], offset: 35>>
    memref.copy %reinterpret_cast, %arg1 : memref<4x4xf32, strided<[32, 1], offset: 35>> to memref<4x4xf32>
    %transpose = memref.transpose %arg1 (d0, d1) -> (d1, d0) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
    %base_buffer_1, %offset_2, %sizes_3:2, %strides_4:2 = memref.extract_strided_metadata %transpose : memref<4x4xf32, strided<[1, 4]>> -> memref<f32>, index, index, index, index, index
    %reinterpret_cast_5 = memref.reinterpret_cast %base_buffer_1 to offset: [4], sizes: [4], strides: [1] : memref<f32> to memref<4xf32, strided<[1], offset: 4>>
    linalg.fill ins(%cst_0 : f32) outs(%reinterpret_cast_5 : memref<4xf32, strided<[1], offset: 4>>)
    %base_buffer_6, %offset_7, %sizes_8:2, %strides_9:2 = memref.extract_strided_metadata %arg1 : memref<4x4xf32> -> memref<f32>, index, index, index, index, index
    %reinterpret_cast_10 = memref.reinterpret_cast %base_buffer_6 to offset: [10], sizes: [6], strides: [1] : memref<f32> to memref<6xf32, strided<[1], offset: 10>>
    linalg.fill ins(%cst : f32) outs(%reinterpret_cast_10 : memref<6xf32, strided<[1], offset: 10>>)
    return
  }
}
