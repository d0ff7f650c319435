module {
  func.func @main(%arg0: memref<16x16xf32>, %arg1: memref<4x4xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 5.000000e+00 : f32
    %subview = memref.subview %arg0[2, 3] [3, 4] [2, 1] : memref<16x16xf32> to memref<3x4xf32, strided<[32, 1], offset: 35>>
    %0 = vector.transfer_read %subview[%c0, %c0], %cst {in_bounds = [false, true]} : memref<3x4xf32, strided<[32, 1], offset: 35>>, vector<4x4xf32>
    vector.transfer_write %0, %arg1[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32>
    return
  }
}
