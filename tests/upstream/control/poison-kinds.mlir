func.func @main(%A: memref<8xf32>, %n: index) -> f32 {
  %i = ub.poison : index
  %v = ub.poison : vector<4xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %less = arith.cmpi slt, %n, %c4 : index
  %at = arith.select %less, %n, %i : index
  %x = memref.load %A[%at] : memref<8xf32>
  %never = arith.cmpi sgt, %n, %c4 : index
  scf.if %never {
    vector.store %v, %A[%c0] : memref<8xf32>, vector<4xf32>
  }
  return %x : f32
}
