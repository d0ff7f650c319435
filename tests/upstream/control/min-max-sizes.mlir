func.func @main(%A: memref<30xf32>, %B: memref<30xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %t = 0 to 30 step 8 {
    %n = affine.min affine_map<(d0) -> (8, -d0 + 30)>(%t)
    %tmp = memref.alloc(%n) : memref<?xf32>
    scf.for %i = %c0 to %n step %c1 {
      %j = arith.addi %t, %i : index
      %a = memref.load %A[%j] : memref<30xf32>
      memref.store %a, %tmp[%i] : memref<?xf32>
    }
    scf.for %i = %c0 to %n step %c1 {
      %k = affine.apply affine_map<(d0, d1) -> (d1 - 1 - d0)>(%i, %n)
      %a = memref.load %tmp[%k] : memref<?xf32>
      %j = arith.addi %t, %i : index
      memref.store %a, %B[%j] : memref<30xf32>
    }
    memref.dealloc %tmp : memref<?xf32>
  }
  return
}
