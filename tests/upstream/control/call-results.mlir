func.func private @pair(%n: index) -> (memref<4xf32>, index) {
  %m = memref.alloc() : memref<4xf32>
  %c1 = arith.constant 1 : index
  %x = arith.addi %n, %c1 : index
  %i = arith.index_cast %n : index to i32
  %f = arith.sitofp %i : i32 to f32
  affine.for %k = 0 to 4 { affine.store %f, %m[%k] : memref<4xf32> }
  return %m, %x : memref<4xf32>, index
}
func.func @main(%A: memref<3x4xf32>) {
  affine.for %i = 0 to 3 {
    %0:2 = func.call @pair(%i) : (index) -> (memref<4xf32>, index)
    affine.for %j = 0 to 4 {
      %v = affine.load %0#0[%j] : memref<4xf32>
      affine.store %v, %A[%i, %j] : memref<3x4xf32>
    }
    memref.dealloc %0#0 : memref<4xf32>
  }
  return
}
