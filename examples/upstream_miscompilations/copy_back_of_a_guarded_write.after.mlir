// LLVM 24, builtin.module(func.func(affine-data-copy-generate{fast-mem-space=0}))
#set = affine_set<(d0) : (-d0 + 2 >= 0)>
module {
  func.func @first_three(%arg0: memref<8xi32>, %arg1: memref<8xi32>) {
    %c8 = arith.constant 8 : index
    %c0 = arith.constant 0 : index
    %c8_0 = arith.constant 8 : index
    %c0_1 = arith.constant 0 : index
    %c0_2 = arith.constant 0 : index
    %alloc = memref.alloc() : memref<8xi32>
    affine.for %arg2 = 0 to 8 {
      %0 = affine.load %arg0[%arg2] : memref<8xi32>
      affine.store %0, %alloc[%arg2] : memref<8xi32>
    }
    %alloc_3 = memref.alloc() : memref<8xi32>
    affine.for %arg2 = 0 to 8 {
      affine.if #set(%arg2) {
        %0 = affine.load %alloc[%arg2] : memref<8xi32>
        affine.store %0, %alloc_3[%arg2] : memref<8xi32>
      }
    }
    affine.for %arg2 = 0 to 8 {
      %0 = affine.load %alloc_3[%arg2] : memref<8xi32>
      affine.store %0, %arg1[%arg2] : memref<8xi32>
    }
    memref.dealloc %alloc_3 : memref<8xi32>
    memref.dealloc %alloc : memref<8xi32>
    return
  }
}
