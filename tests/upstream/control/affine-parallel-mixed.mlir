func.func @main(%A: memref<?x8xi32>, %n: index, %R: memref<4xi32>) {
  %0:4 = affine.parallel (%i, %j) = (0, 0) to (symbol(%n), min(symbol(%n) + 2, 8)) step (1, 3) reduce ("andi", "addi", "muli", "ori") -> (i32, i32, i32, i32) {
    %a = affine.load %A[%i, %j] : memref<?x8xi32>
    affine.yield %a, %a, %a, %a : i32, i32, i32, i32
  }
  affine.store %0#0, %R[0] : memref<4xi32>
  affine.store %0#1, %R[1] : memref<4xi32>
  affine.store %0#2, %R[2] : memref<4xi32>
  affine.store %0#3, %R[3] : memref<4xi32>
  return
}
