module {
  func.func @main(%arg0: memref<9x8xf32>, %arg1: memref<8xf32>, %arg2: memref<2x4xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c9 = arith.constant 9 : index
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0.000000e+00> : vector<1x8xf32>
    %cst_1 = arith.constant dense<1.000000e+00> : vector<1x8xf32>
    %0:3 = scf.for %arg3 = %c0 to %c9 step %c1 iter_args(%arg4 = %cst_0, %arg5 = %cst_1, %arg6 = %cst) -> (vector<1x8xf32>, vector<1x8xf32>, f32) {
      %5 = vector.transfer_read %arg0[%arg3, %c0], %cst {in_bounds = [true, true]} : memref<9x8xf32>, vector<1x8xf32>
      %6 = arith.addf %arg4, %5 : vector<1x8xf32>
      %7 = arith.addf %arg6, %cst : f32
      scf.yield %arg5, %6, %7 : vector<1x8xf32>, vector<1x8xf32>, f32
    }
    %1 = arith.subf %0#0, %0#1 : vector<1x8xf32>
    %2 = vector.shape_cast %1 : vector<1x8xf32> to vector<8xf32>
    vector.transfer_write %2, %arg1[%c0] {in_bounds = [true]} : vector<8xf32>, memref<8xf32>
    %3 = vector.shape_cast %2 : vector<8xf32> to vector<2x4xf32>
    %4 = affine.for %arg3 = 0 to 3 iter_args(%arg4 = %3) -> (vector<2x4xf32>) {
      %5 = vector.extract %arg4[1] : vector<4xf32> from vector<2x4xf32>
      %6 = vector.insert %5, %arg4 [0] : vector<4xf32> into vector<2x4xf32>
      %7 = arith.addf %6, %3 : vector<2x4xf32>
      affine.yield %7 : vector<2x4xf32>
    }
    vector.transfer_write %4, %arg2[%c0, %c0] {in_bounds = [true, true]} : vector<2x4xf32>, memref<2x4xf32>
    return
  }
}
