module {
  func.func @main(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32>) {
    affine.for %arg2 = 0 to 8 step 4 {
      affine.for %arg3 = 0 to 8 step 4 {
        %0 = affine.vector_load %arg0[%arg2, %arg3] : memref<8x8xf32>, vector<4x4xf32>
        %1 = vector.transpose %0, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
        affine.vector_store %1, %arg1[%arg3, %arg2] : memref<8x8xf32>, vector<4x4xf32>
      }
    }
    return
  }
}
