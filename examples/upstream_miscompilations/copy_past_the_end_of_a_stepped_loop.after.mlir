// LLVM 24, builtin.module(func.func(affine-data-copy-generate{fast-mem-space=0}))
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> (d0 + 8)>
module {
  func.func @every_fourth(%arg0: memref<6xi32>, %arg1: memref<2xi32>) {
    %c2 = arith.constant 2 : index
    %c0 = arith.constant 0 : index
    %c6 = arith.constant 6 : index
    %c0_0 = arith.constant 0 : index
    %c0_1 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<6xi32>
    affine.for %arg2 = 0 to 8 {
      %0 = affine.load %arg0[%arg2] : memref<6xi32>
      affine.store %0, %alloc[%arg2] : memref<6xi32>
    }
    %alloc_2 = memref.alloc() : memref<2xi32>
    affine.for %arg2 = 0 to 6 step 16 {
      affine.for %arg3 = #map(%arg2) to #map1(%arg2) step 4 {
        %0 = affine.load %alloc[%arg3] : memref<6xi32>
        affine.store %0, %alloc_2[%arg3 floordiv 4] : memref<2xi32>
      }
    }
    affine.for %arg2 = 0 to 2 {
      %0 = affine.load %alloc_2[%arg2] : memref<2xi32>
      affine.store %0, %arg1[%arg2] : memref<2xi32>
    }
    memref.dealloc %alloc_2 : memref<2xi32>
    memref.dealloc %alloc : memref<6xi32>
    return
  }
}
