module {
  func.func @main(%arg0: memref<4xf32>, %arg1: memref<8xf32>, %arg2: memref<4x8xf32>) {
    %0 = ub.poison : vector<4x1xf32>
    %1 = ub.poison : vector<4x8xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %2 = vector.load %arg1[%c0] : memref<8xf32>, vector<8xf32>
    %3 = vector.load %arg2[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    %4 = vector.extract %3[1] : vector<8xf32> from vector<4x8xf32>
    %5 = vector.extract %3[2, 3] : f32 from vector<4x8xf32>
    %6 = vector.insert %4, %3 [0] : vector<8xf32> into vector<4x8xf32>
    %7 = vector.insert %5, %6 [3, 7] : f32 into vector<4x8xf32>
    %8 = vector.extract %3[1] : vector<8xf32> from vector<4x8xf32>
    %9 = vector.extract %3[2] : vector<8xf32> from vector<4x8xf32>
    %10 = vector.extract %7[3] : vector<8xf32> from vector<4x8xf32>
    %11 = vector.insert %4, %1 [0] : vector<8xf32> into vector<4x8xf32>
    %12 = vector.insert %8, %11 [1] : vector<8xf32> into vector<4x8xf32>
    %13 = vector.insert %9, %12 [2] : vector<8xf32> into vector<4x8xf32>
    %14 = vector.insert %10, %13 [3] : vector<8xf32> into vector<4x8xf32>
    %15 = vector.extract_strided_slice %14 {offsets = [1, 2], sizes = [2, 4], strides = [1, 1]} : vector<4x8xf32> to vector<2x4xf32>
    %16 = vector.insert_strided_slice %15, %14 {offsets = [0, 0], strides = [1, 1]} : vector<2x4xf32> into vector<4x8xf32>
    %17 = vector.insert_strided_slice %2, %16 {offsets = [2, 0], strides = [1]} : vector<8xf32> into vector<4x8xf32>
    %18 = vector.broadcast %5 : f32 to vector<4x8xf32>
    %19 = arith.addf %17, %18 : vector<4x8xf32>
    %20 = vector.shuffle %2, %2 [0, 9, 2, 11] : vector<8xf32>, vector<8xf32>
    %21 = vector.broadcast %2 : vector<8xf32> to vector<4x8xf32>
    %22 = arith.addf %19, %21 : vector<4x8xf32>
    %23 = vector.extract %2[0] : f32 from vector<8xf32>
    %24 = vector.insert %23, %0 [0, 0] : f32 into vector<4x1xf32>
    %25 = vector.extract %2[1] : f32 from vector<8xf32>
    %26 = vector.insert %25, %24 [1, 0] : f32 into vector<4x1xf32>
    %27 = vector.extract %2[2] : f32 from vector<8xf32>
    %28 = vector.insert %27, %26 [2, 0] : f32 into vector<4x1xf32>
    %29 = vector.extract %2[3] : f32 from vector<8xf32>
    %30 = vector.insert %29, %28 [3, 0] : f32 into vector<4x1xf32>
    %31 = vector.broadcast %30 : vector<4x1xf32> to vector<4x8xf32>
    %32 = arith.mulf %22, %31 : vector<4x8xf32>
    vector.store %32, %arg2[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    scf.for %arg3 = %c0 to %c4 step %c1 {
      %33 = vector.extract %20[%arg3] : f32 from vector<4xf32>
      %34 = vector.insert %33, %2 [%arg3] : f32 into vector<8xf32>
      %35 = vector.reduction <add>, %34 : vector<8xf32> into f32
      memref.store %35, %arg0[%arg3] : memref<4xf32>
    }
    return
  }
}
