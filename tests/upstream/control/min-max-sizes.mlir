func.func @main(%A: memref<30xf32>, %B: memref<30xf32>) {
  affine.for %t = 0 to 30 step 8 {
    %n = affine.min affine_map<(d0) -> (8, -d0 + 30)>(%t)
    %tmp = memref.alloc(%n) : memref<?xf32>
    affine.for %i = 0 to %n {
      %a = affine.load %A[%t + %i] : memref<30xf32>
      affine.store %a, %tmp[%i] : memref<?xf32>
    }
    affine.for %i = 0 to min affine_map<(d0)[s0] -> (8, s0)>(%t)[%n] {
      %a = affine.load %tmp[%n - 1 - %i] : memref<?xf32>
      affine.store %a, %B[%t + %i] : memref<30xf32>
    }
    memref.dealloc %tmp : memref<?xf32>
  }
  return
}
