func.func @main(%A: memref<16xi8>, %B: memref<16xi32>, %C: memref<16xi16>, %n: i8) {
  %m = arith.index_castui %n : i8 to index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %end = arith.minui %m, %c16 : index
  scf.for %i = %c0 to %end step %c1 {
    %a = memref.load %A[%i] : memref<16xi8>
    %s = arith.extsi %a : i8 to i32
    %u = arith.extui %a : i8 to i32
    %d = arith.subi %u, %s : i32
    memref.store %d, %B[%i] : memref<16xi32>
    %t = arith.muli %u, %u : i32
    %w = arith.trunci %t : i32 to i16
    %j = arith.index_castui %i : index to i16
    %o = arith.ori %w, %j : i16
    memref.store %o, %C[%i] : memref<16xi16>
  }
  return
}
