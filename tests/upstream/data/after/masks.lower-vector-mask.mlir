module {
  func.func @main(%arg0: memref<?xf32>, %arg1: memref<?xf32>) {
    %cst = arith.constant dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00, 8.000000e+00]> : vector<8xf32>
    %c0 = arith.constant 0 : index
    %cst_0 = arith.constant 0.000000e+00 : f32
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %0 = vector.create_mask %dim : vector<8xi1>
    %1 = vector.transfer_read %arg0[%c0], %cst_0, %0 {in_bounds = [true]} : memref<?xf32>, vector<8xf32>
    %2 = vector.constant_mask [3] : vector<8xi1>
    %3 = arith.select %2, %1, %cst : vector<8xi1>, vector<8xf32>
    %4 = vector.fma %1, %3, %1 : vector<8xf32>
    vector.transfer_write %4, %arg1[%c0], %0 {in_bounds = [true]} : vector<8xf32>, memref<?xf32>
    return
  }
}
