module {
  func.func @main(%arg0: memref<16x16xf32>, %arg1: memref<16x16xf32>) {
    %c18 = arith.constant 18 : index
    %c17 = arith.constant 17 : index
    %c16 = arith.constant 16 : index
    %c15 = arith.constant 15 : index
    %c14 = arith.constant 14 : index
    %c13 = arith.constant 13 : index
    %c12 = arith.constant 12 : index
    %c11 = arith.constant 11 : index
    %c10 = arith.constant 10 : index
    %c9 = arith.constant 9 : index
    %c8 = arith.constant 8 : index
    %c7 = arith.constant 7 : index
    %c6 = arith.constant 6 : index
    %c5 = arith.constant 5 : index
    %c4 = arith.constant 4 : index
    %false = arith.constant false
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %cst = arith.constant 7.000000e+00 : f32
    %cst_0 = arith.constant dense<7.000000e+00> : vector<16x4xf32>
    %true = arith.constant true
    %0 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c3, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %cst_0 [0] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %cst_0 : vector<16x4xf32>
    }
    %1 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c4, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %0 [1] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %0 : vector<16x4xf32>
    }
    %2 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c5, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %1 [2] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %1 : vector<16x4xf32>
    }
    %3 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c6, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %2 [3] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %2 : vector<16x4xf32>
    }
    %4 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c7, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %3 [4] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %3 : vector<16x4xf32>
    }
    %5 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c8, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %4 [5] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %4 : vector<16x4xf32>
    }
    %6 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c9, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %5 [6] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %5 : vector<16x4xf32>
    }
    %7 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c10, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %6 [7] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %6 : vector<16x4xf32>
    }
    %8 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c11, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %7 [8] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %7 : vector<16x4xf32>
    }
    %9 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c12, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %8 [9] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %8 : vector<16x4xf32>
    }
    %10 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c13, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %9 [10] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %9 : vector<16x4xf32>
    }
    %11 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c14, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %10 [11] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %10 : vector<16x4xf32>
    }
    %12 = scf.if %true -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c15, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %11 [12] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %11 : vector<16x4xf32>
    }
    %13 = scf.if %false -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c16, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %12 [13] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %12 : vector<16x4xf32>
    }
    %14 = scf.if %false -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c17, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %13 [14] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %13 : vector<16x4xf32>
    }
    %15 = scf.if %false -> (vector<16x4xf32>) {
      %21 = vector.transfer_read %arg0[%c18, %c0], %cst {in_bounds = [true]} : memref<16x16xf32>, vector<4xf32>
      %22 = vector.insert %21, %14 [15] : vector<4xf32> into vector<16x4xf32>
      scf.yield %22 : vector<16x4xf32>
    } else {
      scf.yield %14 : vector<16x4xf32>
    }
    %16 = vector.transpose %15, [1, 0] : vector<16x4xf32> to vector<4x16xf32>
    %17 = vector.transfer_read %arg0[%c0, %c3], %cst : memref<16x16xf32>, vector<16xf32>
    %18 = vector.broadcast %17 : vector<16xf32> to vector<4x16xf32>
    %19 = arith.addf %16, %18 : vector<4x16xf32>
    %20 = vector.transpose %19, [1, 0] : vector<4x16xf32> to vector<16x4xf32>
    scf.if %true {
      %21 = vector.extract %20[0] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c3, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[1] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c4, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[2] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c5, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[3] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c6, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[4] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c7, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[5] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c8, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[6] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c9, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[7] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c10, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[8] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c11, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[9] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c12, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[10] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c13, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[11] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c14, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %true {
      %21 = vector.extract %20[12] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c15, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %false {
      %21 = vector.extract %20[13] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c16, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %false {
      %21 = vector.extract %20[14] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c17, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    scf.if %false {
      %21 = vector.extract %20[15] : vector<4xf32> from vector<16x4xf32>
      vector.transfer_write %21, %arg1[%c18, %c0] {in_bounds = [true]} : vector<4xf32>, memref<16x16xf32>
    } else {
    }
    return
  }
}
