module {
  func.func @main(%arg0: memref<4x8xf32>, %arg1: memref<4xf32>, %arg2: memref<f32>, %arg3: memref<f32>) {
    %c0 = arith.constant 0 : index
    %c7 = arith.constant 7 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.transfer_read %arg0[%c0, %c0], %cst : memref<4x8xf32>, vector<4x8xf32>
    %cst_0 = arith.constant dense<1.000000e+00> : vector<4xf32>
    %1 = vector.multi_reduction <add>, %0, %cst_0 [1] : vector<4x8xf32> to vector<4xf32>
    %2 = vector.create_mask %c0, %c7 : vector<4x8xi1>
    %3 = vector.mask %2 { vector.multi_reduction <mul>, %0, %1 [1] : vector<4x8xf32> to vector<4xf32> } : vector<4x8xi1> -> vector<4xf32>
    vector.transfer_write %3, %arg1[%c0] : vector<4xf32>, memref<4xf32>
    %4 = vector.reduction <maximumf>, %1 : vector<4xf32> into f32
    memref.store %4, %arg2[] : memref<f32>
    %5 = vector.multi_reduction <minimumf>, %0, %cst [0, 1] : vector<4x8xf32> to f32
    %6 = vector.reduction <add>, %1, %5 : vector<4xf32> into f32
    memref.store %6, %arg3[] : memref<f32>
    return
  }
}
