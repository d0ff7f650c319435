func.func @main(%A: memref<?xf32>, %n: index, %B: memref<?xf32>) {
  affine.for %i = 0 to %n {
    %a = affine.load %A[%i] : memref<?xf32>
    affine.store %a, %B[%n - 1 - %i] : memref<?xf32>
  }
  return
}
