#set = affine_set<(d0, d1)[s0] : (d0 - d1 == 0, s0 - d0 >= 0)>
func.func @main(%A: memref<9x9xf32>, %B: memref<9x9xf32>, %n: index) {
  %z = arith.constant -1.0 : f32
  affine.for %i = 0 to 9 {
    affine.for %j = 0 to 9 {
      %v = affine.if #set(%i, %j)[%n] -> f32 {
        %a = affine.load %A[%i, %j] : memref<9x9xf32>
        affine.yield %a : f32
      } else {
        affine.yield %z : f32
      }
      affine.store %v, %B[%i, %j] : memref<9x9xf32>
    }
  }
  return
}
