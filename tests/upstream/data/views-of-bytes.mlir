module {
  func.func @main(%arg0: memref<4x4xf32>, %arg1: memref<4x4xf32>) {
    %c64 = arith.constant 64 : index
    %alloc = memref.alloc() : memref<256xi8>
    %view = memref.view %alloc[%c64][] : memref<256xi8> to memref<4x4xf32>
    memref.copy %arg0, %view : memref<4x4xf32> to memref<4x4xf32>
    memref.alloca_scope  {
      %alloca = memref.alloca() : memref<4x4xf32>
      memref.copy %view, %alloca : memref<4x4xf32> to memref<4x4xf32>
      linalg.add ins(%alloca, %view : memref<4x4xf32>, memref<4x4xf32>) outs(%arg1 : memref<4x4xf32>)
    }
    memref.dealloc %alloc : memref<256xi8>
    return
  }
}
