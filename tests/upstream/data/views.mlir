module {
  func.func @main(%arg0: memref<16x16xf32>, %arg1: memref<4x4xf32>) {
    %subview = memref.subview %arg0[2, 3] [4, 4] [2, 1] : memref<16x16xf32> to memref<4x4xf32, strided<[32, 1], offset: 35>>
    memref.copy %subview, %arg1 : memref<4x4xf32, strided<[32, 1], offset: 35>> to memref<4x4xf32>
    %transpose = memref.transpose %arg1 (d0, d1) -> (d1, d0) : memref<4x4xf32> to memref<4x4xf32, strided<[1, 4]>>
    %subview_0 = memref.subview %transpose[0, 1] [4, 1] [1, 1] : memref<4x4xf32, strided<[1, 4]>> to memref<4xf32, strided<[1], offset: 4>>
    %cst = arith.constant 1.000000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%subview_0 : memref<4xf32, strided<[1], offset: 4>>)
    %expand_shape = memref.expand_shape %arg1 [[0, 1], [2]] output_shape [2, 2, 4] : memref<4x4xf32> into memref<2x2x4xf32>
    %collapse_shape = memref.collapse_shape %expand_shape [[0, 1, 2]] : memref<2x2x4xf32> into memref<16xf32>
    %subview_1 = memref.subview %collapse_shape[10] [6] [1] : memref<16xf32> to memref<6xf32, strided<[1], offset: 10>>
    %cst_2 = arith.constant 2.000000e+00 : f32
    linalg.fill ins(%cst_2 : f32) outs(%subview_1 : memref<6xf32, strided<[1], offset: 10>>)
    return
  }
}
