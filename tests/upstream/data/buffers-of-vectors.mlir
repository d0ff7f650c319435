module {
  func.func @main(%arg0: memref<4x8xf32>, %arg1: memref<4x8xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %cst = arith.constant 0.000000e+00 : f32
    %alloca = memref.alloca() : memref<vector<4x8xf32>>
    %0 = vector.type_cast %alloca : memref<vector<4x8xf32>> to memref<4xvector<8xf32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %4 = vector.transfer_read %arg0[%arg2, %c0], %cst {in_bounds = [true]} : memref<4x8xf32>, vector<8xf32>
      memref.store %4, %0[%arg2] : memref<4xvector<8xf32>>
    }
    %1 = memref.load %alloca[] : memref<vector<4x8xf32>>
    %2 = arith.addf %1, %1 : vector<4x8xf32>
    %3 = vector.extract %2[2] : vector<8xf32> from vector<4x8xf32>
    memref.store %2, %alloca[] : memref<vector<4x8xf32>>
    memref.store %3, %0[%c0] : memref<4xvector<8xf32>>
    scf.for %arg2 = %c0 to %c4 step %c1 {
      %4 = memref.load %0[%arg2] : memref<4xvector<8xf32>>
      vector.transfer_write %4, %arg1[%arg2, %c0] {in_bounds = [true]} : vector<8xf32>, memref<4x8xf32>
    }
    return
  }
}
