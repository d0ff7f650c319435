#map = affine_map<()[s0, s1] -> (s0 * s1)>
module {
  func.func @main(%arg0: memref<?x?xf32>, %arg1: memref<?x?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    scf.for %arg2 = %c0 to %dim step %c1 {
      %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %arg0 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
      %0 = affine.apply #map()[%arg2, %strides#0]
      %reinterpret_cast = memref.reinterpret_cast %base_buffer to offset: [%0], sizes: [%dim_0], strides: [1] : memref<f32> to memref<?xf32, strided<[1], offset: ?>>
      %base_buffer_1, %offset_2, %sizes_3:2, %strides_4:2 = memref.extract_strided_metadata %arg1 : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
      %1 = affine.apply #map()[%arg2, %strides_4#0]
      %reinterpret_cast_5 = memref.reinterpret_cast %base_buffer_1 to offset: [%1], sizes: [%dim_0], strides: [1] : memref<f32> to memref<?xf32, strided<[1], offset: ?>>
      memref.copy %reinterpret_cast, %reinterpret_cast_5 : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    }
    return
  }
}
