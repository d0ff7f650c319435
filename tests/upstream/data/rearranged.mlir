module {
  func.func @main(%arg0: memref<4xi32>, %arg1: memref<4xi32>, %arg2: memref<8xi32>, %arg3: memref<4xi32>, %arg4: memref<4xf32>) {
    %c0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0] : memref<4xi32>, vector<4xi32>
    %1 = vector.load %arg1[%c0] : memref<4xi32>, vector<4xi32>
    %2 = vector.interleave %0, %1 : vector<4xi32> -> vector<8xi32>
    vector.store %2, %arg2[%c0] : memref<8xi32>, vector<8xi32>
    %res1, %res2 = vector.deinterleave %2 : vector<8xi32> -> vector<4xi32>
    %3 = arith.subi %res2, %res1 : vector<4xi32>
    %4:4 = vector.to_elements %3 : vector<4xi32>
    %5 = vector.from_elements %4#3, %4#1, %4#2, %4#0 : vector<4xi32>
    %6 = vector.step : vector<4xindex>
    %7 = arith.index_cast %6 : vector<4xindex> to vector<4xi32>
    %8 = arith.addi %5, %7 : vector<4xi32>
    vector.store %8, %arg3[%c0] : memref<4xi32>, vector<4xi32>
    %9 = vector.bitcast %8 : vector<4xi32> to vector<4xf32>
    %10 = vector.bitcast %9 : vector<4xf32> to vector<4xi32>
    %11 = arith.sitofp %10 : vector<4xi32> to vector<4xf32>
    vector.store %11, %arg4[%c0] : memref<4xf32>, vector<4xf32>
    return
  }
}
