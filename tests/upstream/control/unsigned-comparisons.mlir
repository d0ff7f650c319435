func.func @main(%A: memref<10xf32>, %B: memref<10xf32>, %n: index) {
  affine.for %i = 0 to 10 {
    %a = affine.load %A[%i] : memref<10xf32>
    %c = arith.cmpi ult, %i, %n : index
    %d = arith.cmpi ne, %i, %n : index
    %e = arith.andi %c, %d : i1
    scf.if %e {
      affine.store %a, %B[%i] : memref<10xf32>
    }
  }
  return
}
