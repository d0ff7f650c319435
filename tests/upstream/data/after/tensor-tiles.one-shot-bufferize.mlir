#map = affine_map<(d0)[s0] -> (4, -d0 + s0)>
module {
  func.func @main(%arg0: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x?xf32, strided<[?, ?], offset: ?>>, %arg2: memref<?x?xf32, strided<[?, ?], offset: ?>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %dim = memref.dim %arg0, %c0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %dim_0 = memref.dim %arg0, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %dim_1 = memref.dim %arg1, %c1 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    %0 = scf.for %arg3 = %c0 to %dim step %c4 iter_args(%arg4 = %arg2) -> (memref<?x?xf32, strided<[?, ?], offset: ?>>) {
      %1 = affine.min #map(%arg3)[%dim]
      %subview = memref.subview %arg0[%arg3, 0] [%1, %dim_0] [1, 1] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
      %subview_2 = memref.subview %arg4[%arg3, 0] [%1, %dim_1] [1, 1] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
      linalg.matmul ins(%subview, %arg1 : memref<?x?xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32, strided<[?, ?], offset: ?>>) outs(%subview_2 : memref<?x?xf32, strided<[?, ?], offset: ?>>)
      %subview_3 = memref.subview %arg4[%arg3, 0] [%1, %dim_1] [1, 1] : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
      memref.copy %subview_2, %subview_3 : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x?xf32, strided<[?, ?], offset: ?>>
      scf.yield %arg4 : memref<?x?xf32, strided<[?, ?], offset: ?>>
    }
    return %0 : memref<?x?xf32, strided<[?, ?], offset: ?>>
  }
}
