func.func @main(%A: memref<10xf32>, %R: memref<10xf32>, %N: memref<3xindex>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c10 = arith.constant 10 : index
  %k0 = arith.constant 0 : i32
  %k1 = arith.constant 1 : i32
  %k4 = arith.constant 4 : i32
  %s:2 = scf.while (%p = %zero, %i = %c0) : (f32, index) -> (index, f32) {
    %c = arith.cmpi sgt, %c10, %i : index
    scf.condition(%c) %i, %p : index, f32
  } do {
  ^bb0(%j: index, %q: f32):
    %next = arith.addi %c3, %j : index
    %a = memref.load %A[%j] : memref<10xf32>
    %t = arith.addf %q, %a : f32
    memref.store %t, %R[%j] : memref<10xf32>
    scf.yield %t, %next : f32, index
  }
  memref.store %s#0, %N[%c0] : memref<3xindex>
  memref.store %s#1, %R[%c1] : memref<10xf32>
  %w = scf.while (%i = %c3) : (index) -> index {
    %c = arith.cmpi sle, %i, %c2 : index
    scf.condition(%c) %i : index
  } do {
  ^bb0(%j: index):
    memref.store %zero, %R[%j] : memref<10xf32>
    %next = arith.addi %j, %c1 : index
    scf.yield %next : index
  }
  memref.store %w, %N[%c1] : memref<3xindex>
  %x = scf.while (%i = %k0) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %k4 : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%j: i32):
    %at = arith.index_cast %j : i32 to index
    %b = arith.addi %at, %at : index
    memref.store %zero, %R[%b] : memref<10xf32>
    %next = arith.addi %j, %k1 : i32
    scf.yield %next : i32
  }
  %last = arith.index_cast %x : i32 to index
  memref.store %last, %N[%c2] : memref<3xindex>
  return
}
