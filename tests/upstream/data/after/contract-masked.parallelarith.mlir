module {
  func.func @main(%arg0: memref<4x8xf32>, %arg1: memref<8xf32>, %arg2: memref<4xf32>) {
    %cst = arith.constant dense<0.000000e+00> : vector<4xf32>
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c5 = arith.constant 5 : index
    %0 = vector.load %arg0[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    %1 = vector.load %arg1[%c0] : memref<8xf32>, vector<8xf32>
    %2 = vector.load %arg2[%c0] : memref<4xf32>, vector<4xf32>
    %3 = vector.create_mask %c3, %c5 : vector<4x8xi1>
    %4 = vector.extract %0[0] : vector<8xf32> from vector<4x8xf32>
    %5 = vector.extract %2[0] : f32 from vector<4xf32>
    %6 = vector.extract %3[0] : vector<8xi1> from vector<4x8xi1>
    %7 = arith.mulf %4, %1 : vector<8xf32>
    %8 = vector.mask %6 { vector.reduction <add>, %7, %5 : vector<8xf32> into f32 } : vector<8xi1> -> f32
    %9 = vector.insert %8, %cst [0] : f32 into vector<4xf32>
    %10 = vector.extract %0[1] : vector<8xf32> from vector<4x8xf32>
    %11 = vector.extract %2[1] : f32 from vector<4xf32>
    %12 = vector.extract %3[1] : vector<8xi1> from vector<4x8xi1>
    %13 = arith.mulf %10, %1 : vector<8xf32>
    %14 = vector.mask %12 { vector.reduction <add>, %13, %11 : vector<8xf32> into f32 } : vector<8xi1> -> f32
    %15 = vector.insert %14, %9 [1] : f32 into vector<4xf32>
    %16 = vector.extract %0[2] : vector<8xf32> from vector<4x8xf32>
    %17 = vector.extract %2[2] : f32 from vector<4xf32>
    %18 = vector.extract %3[2] : vector<8xi1> from vector<4x8xi1>
    %19 = arith.mulf %16, %1 : vector<8xf32>
    %20 = vector.mask %18 { vector.reduction <add>, %19, %17 : vector<8xf32> into f32 } : vector<8xi1> -> f32
    %21 = vector.insert %20, %15 [2] : f32 into vector<4xf32>
    %22 = vector.extract %0[3] : vector<8xf32> from vector<4x8xf32>
    %23 = vector.extract %2[3] : f32 from vector<4xf32>
    %24 = vector.extract %3[3] : vector<8xi1> from vector<4x8xi1>
    %25 = arith.mulf %22, %1 : vector<8xf32>
    %26 = vector.mask %24 { vector.reduction <add>, %25, %23 : vector<8xf32> into f32 } : vector<8xi1> -> f32
    %27 = vector.insert %26, %21 [3] : f32 into vector<4xf32>
    vector.store %27, %arg2[%c0] : memref<4xf32>, vector<4xf32>
    return
  }
}
