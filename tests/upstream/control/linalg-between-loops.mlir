func.func @main(%A: memref<6x5xf32>, %B: memref<6x5xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %t = memref.alloc() : memref<6x5xf32>
  memref.copy %A, %t : memref<6x5xf32> to memref<6x5xf32>
  scf.for %k = %c0 to %n step %c1 {
    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%t : memref<6x5xf32>) {
    ^bb0(%x: f32):
      %y = arith.mulf %x, %two : f32
      linalg.yield %y : f32
    }
  }
  linalg.map { arith.addf } ins(%t, %A : memref<6x5xf32>, memref<6x5xf32>) outs(%B : memref<6x5xf32>)
  memref.dealloc %t : memref<6x5xf32>
  return
}
