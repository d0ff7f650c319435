module {
  func.func @main(%arg0: memref<4xf32>, %arg1: memref<8xf32>, %arg2: memref<4x8xf32>, %arg3: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %0 = vector.load %arg0[%c0] : memref<4xf32>, vector<4xf32>
    %1 = vector.load %arg1[%c0] : memref<8xf32>, vector<8xf32>
    %2 = vector.load %arg2[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    %3 = vector.outerproduct %0, %1, %2 {kind = #vector.kind<add>} : vector<4xf32>, vector<8xf32>
    %4 = vector.outerproduct %0, %1 : vector<4xf32>, vector<8xf32>
    %5 = vector.create_mask %c2, %c2 : vector<4x8xi1>
    %6 = vector.mask %5 { vector.outerproduct %0, %1, %3 {kind = #vector.kind<mul>} : vector<4xf32>, vector<8xf32> } : vector<4x8xi1> -> vector<4x8xf32>
    %7 = arith.addf %4, %6 : vector<4x8xf32>
    vector.store %7, %arg2[%c0, %c0] : memref<4x8xf32>, vector<4x8xf32>
    %8 = vector.extract %1[3] : f32 from vector<8xf32>
    %9 = vector.outerproduct %0, %8, %0 {kind = #vector.kind<maximumf>} : vector<4xf32>, f32
    vector.store %9, %arg3[%c0] : memref<4xf32>, vector<4xf32>
    return
  }
}
