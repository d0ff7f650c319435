module {
  func.func @main(%arg0: memref<?x?xf32>, %arg1: memref<?xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32>
    %0 = arith.subi %dim, %c1 : index
    %subview = memref.subview %arg0[1, 0] [%0, %dim_0] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
    %dim_1 = memref.dim %subview, %c0 : memref<?x?xf32, strided<[?, 1], offset: ?>>
    scf.for %arg2 = %c0 to %dim_1 step %c1 {
      %subview_4 = memref.subview %subview[%arg2, 0] [1, %dim_0] [1, 1] : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      linalg.add ins(%subview_4, %arg1 : memref<?xf32, strided<[1], offset: ?>>, memref<?xf32>) outs(%subview_4 : memref<?xf32, strided<[1], offset: ?>>)
    }
    %dim_2 = memref.dim %arg1, %c0 : memref<?xf32>
    %1 = arith.floordivsi %dim_2, %c2 : index
    %subview_3 = memref.subview %arg1[0] [%1] [%c2] : memref<?xf32> to memref<?xf32, strided<[?]>>
    %cst = arith.constant 3.000000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%subview_3 : memref<?xf32, strided<[?]>>)
    return
  }
}
