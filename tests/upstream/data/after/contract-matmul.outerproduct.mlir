module {
  func.func @main(%arg0: memref<4x8xf32>, %arg1: memref<8x4xf32>, %arg2: memref<4x4xf32>) {
    %c0 = arith.constant 0 : index
    %cst = arith.constant 0.000000e+00 : f32
    %0 = vector.transfer_read %arg0[%c0, %c0], %cst {in_bounds = [true, true]} : memref<4x8xf32>, vector<4x8xf32>
    %1 = vector.transfer_read %arg1[%c0, %c0], %cst {in_bounds = [true, true]} : memref<8x4xf32>, vector<8x4xf32>
    %2 = vector.transfer_read %arg2[%c0, %c0], %cst {in_bounds = [true, true]} : memref<4x4xf32>, vector<4x4xf32>
    %3 = vector.transpose %0, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
    %4 = vector.extract %3[0] : vector<4xf32> from vector<8x4xf32>
    %5 = vector.extract %1[0] : vector<4xf32> from vector<8x4xf32>
    %6 = vector.outerproduct %4, %5, %2 {kind = #vector.kind<add>} : vector<4xf32>, vector<4xf32>
    %7 = vector.extract %3[1] : vector<4xf32> from vector<8x4xf32>
    %8 = vector.extract %1[1] : vector<4xf32> from vector<8x4xf32>
    %9 = vector.outerproduct %7, %8, %6 {kind = #vector.kind<add>} : vector<4xf32>, vector<4xf32>
    %10 = vector.extract %3[2] : vector<4xf32> from vector<8x4xf32>
    %11 = vector.extract %1[2] : vector<4xf32> from vector<8x4xf32>
    %12 = vector.outerproduct %10, %11, %9 {kind = #vector.kind<add>} : vector<4xf32>, vector<4xf32>
    %13 = vector.extract %3[3] : vector<4xf32> from vector<8x4xf32>
    %14 = vector.extract %1[3] : vector<4xf32> from vector<8x4xf32>
    %15 = vector.outerproduct %13, %14, %12 {kind = #vector.kind<add>} : vector<4xf32>, vector<4xf32>
    %16 = vector.extract %3[4] : vector<4xf32> from vector<8x4xf32>
    %17 = vector.extract %1[4] : vector<4xf32> from vector<8x4xf32>
    %18 = vector.outerproduct %16, %17, %15 {kind = #vector.kind<add>} : vector<4xf32>, vector<4xf32>
    %19 = vector.extract %3[5] : vector<4xf32> from vector<8x4xf32>
    %20 = vector.extract %1[5] : vector<4xf32> from vector<8x4xf32>
    %21 = vector.outerproduct %19, %20, %18 {kind = #vector.kind<add>} : vector<4xf32>, vector<4xf32>
    %22 = vector.extract %3[6] : vector<4xf32> from vector<8x4xf32>
    %23 = vector.extract %1[6] : vector<4xf32> from vector<8x4xf32>
    %24 = vector.outerproduct %22, %23, %21 {kind = #vector.kind<add>} : vector<4xf32>, vector<4xf32>
    %25 = vector.extract %3[7] : vector<4xf32> from vector<8x4xf32>
    %26 = vector.extract %1[7] : vector<4xf32> from vector<8x4xf32>
    %27 = vector.outerproduct %25, %26, %24 {kind = #vector.kind<add>} : vector<4xf32>, vector<4xf32>
    %28 = vector.transpose %27, [1, 0] : vector<4x4xf32> to vector<4x4xf32>
    vector.transfer_write %28, %arg2[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<4x4xf32>
    return
  }
}
