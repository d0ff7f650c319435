module {
  func.func @f(%arg0: memref<?xf32>, %arg1: memref<?xf32>, %arg2: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %dim = memref.dim %arg0, %c0 : memref<?xf32>
    %c1 = arith.constant 1 : index
    %c-1 = arith.constant -1 : index
    %0 = arith.addi %dim, %c-1 : index
    %c1_0 = arith.constant 1 : index
    scf.for %arg3 = %c1 to %0 step %c1_0 {
      %c-1_2 = arith.constant -1 : index
      %2 = arith.addi %arg3, %c-1_2 : index
      %3 = memref.load %arg0[%2] : memref<?xf32>
      %4 = memref.load %arg0[%arg3] : memref<?xf32>
      %c1_3 = arith.constant 1 : index
      %5 = arith.addi %arg3, %c1_3 : index
      %6 = memref.load %arg0[%5] : memref<?xf32>
      %7 = arith.addf %3, %4 : f32
      %8 = arith.addf %7, %6 : f32
      memref.store %8, %arg1[%arg3] : memref<?xf32>
    }
    %c2 = arith.constant 2 : index
    %c-2 = arith.constant -2 : index
    %1 = arith.addi %dim, %c-2 : index
    %c1_1 = arith.constant 1 : index
    scf.for %arg3 = %c2 to %1 step %c1_1 {
      %c-1_2 = arith.constant -1 : index
      %2 = arith.addi %arg3, %c-1_2 : index
      %3 = memref.load %arg1[%2] : memref<?xf32>
      %4 = memref.load %arg1[%arg3] : memref<?xf32>
      %c1_3 = arith.constant 1 : index
      %5 = arith.addi %arg3, %c1_3 : index
      %6 = memref.load %arg1[%5] : memref<?xf32>
      %7 = arith.addf %3, %4 : f32
      %8 = arith.addf %7, %6 : f32
      memref.store %8, %arg2[%arg3] : memref<?xf32>
    }
    return
  }
}

