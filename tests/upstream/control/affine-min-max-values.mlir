#three = affine_map<(d0)[s0] -> (d0 + 3, s0 - 1, 12)>
#two = affine_map<(d0) -> (d0 - 4, 2)>
func.func @main(%A: memref<16xf32>, %B: memref<16xf32>, %n: index) {
  affine.for %i = 0 to 16 {
    %lo = affine.max #two(%i)
    %hi = affine.min #three(%i)[%n]
    %x = memref.load %A[%lo] : memref<16xf32>
    %y = memref.load %A[%hi] : memref<16xf32>
    %s = arith.subf %y, %x : f32
    affine.store %s, %B[%i] : memref<16xf32>
  }
  return
}
