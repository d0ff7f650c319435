module {
  func.func @main(%arg0: memref<4x8xf32, strided<[?, ?], offset: ?>>, %arg1: memref<?x8xf32, strided<[?, 1], offset: ?>>) -> memref<4x8xf32, strided<[?, ?], offset: ?>> {
    %subview = memref.subview %arg1[0, 0] [4, 8] [1, 1] : memref<?x8xf32, strided<[?, 1], offset: ?>> to memref<4x8xf32, strided<[?, 1], offset: ?>>
    linalg.add ins(%arg0, %subview : memref<4x8xf32, strided<[?, ?], offset: ?>>, memref<4x8xf32, strided<[?, 1], offset: ?>>) outs(%arg0 : memref<4x8xf32, strided<[?, ?], offset: ?>>)
    return %arg0 : memref<4x8xf32, strided<[?, ?], offset: ?>>
  }
}
