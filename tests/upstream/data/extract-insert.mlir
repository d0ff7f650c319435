module {
  func.func @main(%arg0: memref<4xf32>, %arg1: memref<8xf32>, %arg2: memref<4x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %0 = vector.load %arg1[%c0] : memref<8xf32>, vector<8xf32>
    %1 = vector.load %arg2[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    %2 = vector.extract %1[1] : vector<8xf32> from vector<4x8xf32>
    %3 = vector.extract %1[2, 3] : f32 from vector<4x8xf32>
    %4 = vector.insert %2, %1 [0] : vector<8xf32> into vector<4x8xf32>
    %5 = vector.insert %3, %4 [3, 7] : f32 into vector<4x8xf32>
    %6 = vector.shape_cast %5 : vector<4x8xf32> to vector<2x16xf32>
    %7 = vector.transpose %6, [1, 0] : vector<2x16xf32> to vector<16x2xf32>
    %8 = vector.transpose %7, [1, 0] : vector<16x2xf32> to vector<2x16xf32>
    %9 = vector.shape_cast %8 : vector<2x16xf32> to vector<4x8xf32>
    %10 = vector.extract_strided_slice %9 {offsets = [1, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
    %11 = vector.insert_strided_slice %10, %9 {offsets = [0, 0], strides = [1, 1]} : vector<2x4xf32> into vector<4x8xf32>
    %12 = vector.insert_strided_slice %0, %11 {offsets = [2, 0], strides = [1]} : vector<8xf32> into vector<4x8xf32>
    %13 = vector.broadcast %3 : f32 to vector<4x8xf32>
    %14 = arith.addf %12, %13 : vector<4x8xf32>
    %15 = vector.shuffle %0, %0 [0, 9, 2, 11] : vector<8xf32>, vector<8xf32>
    %16 = vector.broadcast %0 : vector<8xf32> to vector<4x8xf32>
    %17 = arith.addf %14, %16 : vector<4x8xf32>
    %18 = vector.shape_cast %15 : vector<4xf32> to vector<4x1xf32>
    %19 = vector.broadcast %18 : vector<4x1xf32> to vector<4x8xf32>
    %20 = arith.mulf %17, %19 : vector<4x8xf32>
    vector.store %20, %arg2[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %21 = vector.extract %15[%arg3] : f32 from vector<4xf32>
      %22 = vector.insert %21, %0 [%arg3] : f32 into vector<8xf32>
      %23 = vector.reduction <add>, %22 : vector<8xf32> into f32
      memref.store %23, %arg0[%arg3] : memref<4xf32>
    }
    return
  }
}
