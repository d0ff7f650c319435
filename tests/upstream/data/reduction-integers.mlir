module {
  func.func @main(%arg0: memref<8xi32>, %arg1: memref<8xi32>) {
    %c0 = arith.constant 0 : index
    %0 = vector.load %arg0[%c0] : memref<8xi32>, vector<8xi32>
    %1 = vector.reduction <add>, %0 : vector<8xi32> into i32
    %2 = vector.reduction <mul>, %0 : vector<8xi32> into i32
    %3 = vector.reduction <minui>, %0 : vector<8xi32> into i32
    %4 = vector.reduction <minsi>, %0 : vector<8xi32> into i32
    %5 = vector.reduction <maxui>, %0 : vector<8xi32> into i32
    %6 = vector.reduction <maxsi>, %0 : vector<8xi32> into i32
    %7 = vector.reduction <and>, %0 : vector<8xi32> into i32
    %8 = vector.reduction <xor>, %0, %7 : vector<8xi32> into i32
    %9 = vector.from_elements %1, %2, %3, %4, %5, %6, %7, %8 : vector<8xi32>
    vector.store %9, %arg1[%c0] : memref<8xi32>, vector<8xi32>
    return
  }
}
