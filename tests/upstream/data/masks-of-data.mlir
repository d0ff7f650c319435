module {
  func.func @main(%arg0: memref<8xf32>, %arg1: memref<8xi32>, %arg2: memref<8xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant dense<0> : vector<8xi32>
    %0 = vector.load %arg1[%c0] : memref<8xi32>, vector<8xi32>
    %1 = arith.cmpi sgt, %0, %cst : vector<8xi32>
    %2 = vector.load %arg2[%c0] : memref<8xf32>, vector<8xf32>
    %3 = vector.maskedload %arg0[%c0], %1, %2 : memref<8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
    %4 = arith.addf %3, %2 : vector<8xf32>
    vector.maskedstore %arg2[%c0], %1, %4 : memref<8xf32>, vector<8xi1>, vector<8xf32>
    return
  }
}
