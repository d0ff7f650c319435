#map = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @main(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>) {
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 7.000000e+00 : f32
    %0 = vector.create_mask %c3, %c2 : vector<8x4xi1>
    %1 = vector.transfer_read %arg0[%c3, %c0], %cst, %0 {in_bounds = [true, true], permutation_map = #map} : memref<16x16xf32>, vector<4x8xf32>
    %2 = vector.transpose %0, [1, 0] : vector<8x4xi1> to vector<4x8xi1>
    %3 = vector.constant_mask [4, 2] : vector<4x8xi1>
    %4 = arith.andi %2, %3 : vector<4x8xi1>
    %5 = arith.addf %1, %1 : vector<4x8xf32>
    vector.transfer_write %5, %arg1[%c0, %c0], %4 {in_bounds = [true, true]} : vector<4x8xf32>, memref<16x16xf32>
    return
  }
}
