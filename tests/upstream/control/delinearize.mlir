func.func @main(%A: memref<4x6xf32>, %B: memref<24xf32>, %C: memref<24xf32>, %k: index) {
  affine.for %i = 0 to 24 {
    %0:2 = affine.delinearize_index %i into (4, 6) : index, index
    %a = memref.load %A[%0#0, %0#1] : memref<4x6xf32>
    %j = affine.linearize_index [%0#1, %0#0] by (6, 4) : index
    memref.store %a, %B[%j] : memref<24xf32>
    %1:2 = affine.delinearize_index %i into (%k) : index, index
    %l = affine.linearize_index disjoint [%1#0, %1#1] by (%k) : index
    memref.store %a, %C[%l] : memref<24xf32>
  }
  return
}
