// Arithmetic on i8, i32 and index.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<24xi8>, %arg1: memref<24xi32>, %arg2: memref<24xindex>)
// CHECK: loop.for %arg3 = 0 to 24
// CHECK: loop.store %7, %arg1[%arg3] : memref<24xi32>
// CHECK: loop.store %10, %arg2[%arg3] : memref<24xindex>

module {
  func.func @main(%arg0: memref<24xi8>, %arg1: memref<24xi32>, %arg2: memref<24xindex>) {
    %c3 = arith.constant 3 : index
    %c5_i32 = arith.constant 5 : i32
    affine.for %arg3 = 0 to 24 {
      %0 = affine.load %arg0[%arg3] : memref<24xi8>
      %1 = arith.extsi %0 : i8 to i32
      %2 = arith.extui %0 : i8 to i32
      %3 = arith.cmpi slt, %1, %c5_i32 : i32
      %4 = arith.select %3, %1, %2 : i32
      %5 = arith.index_cast %arg3 : index to i32
      %6 = arith.xori %4, %5 : i32
      %7 = arith.shli %6, %c5_i32 : i32
      affine.store %7, %arg1[%arg3] : memref<24xi32>
      %8 = arith.remui %arg3, %c3 : index
      %9 = arith.divui %arg3, %c3 : index
      %10 = arith.muli %8, %9 : index
      affine.store %10, %arg2[%arg3] : memref<24xindex>
    }
    return
  }
}
