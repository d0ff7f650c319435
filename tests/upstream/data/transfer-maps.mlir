#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (0, d1)>
module {
  func.func @main(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>) {
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 7.000000e+00 : f32
    %0 = vector.transfer_read %arg0[%c3, %c0], %cst {permutation_map = #map} : memref<16x16xf32>, vector<4x16xf32>
    %1 = vector.transfer_read %arg0[%c0, %c3], %cst {in_bounds = [true, false], permutation_map = #map1} : memref<16x16xf32>, vector<4x16xf32>
    %2 = arith.addf %0, %1 : vector<4x16xf32>
    vector.transfer_write %2, %arg1[%c3, %c0] {permutation_map = #map} : vector<4x16xf32>, memref<16x16xf32>
    return
  }
}
