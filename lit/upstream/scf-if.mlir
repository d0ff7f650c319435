// Conditions on data, with and without results.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<20xi32>, %arg1: memref<20xi32>)
// CHECK: loop.for %arg2 = 0 to 20
// CHECK: %3 = arith.select %1, %2, %c100_i32 : i32
// CHECK: loop.if (%6 >= 1)
// CHECK: loop.store %3, %arg1[%arg2] : memref<20xi32>
// CHECK: loop.store %7, %arg1[%arg2] : memref<20xi32>

module {
  func.func @main(%arg0: memref<20xi32>, %arg1: memref<20xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c20 = arith.constant 20 : index
    %c7 = arith.constant 7 : index
    %c100_i32 = arith.constant 100 : i32
    scf.for %arg2 = %c0 to %c20 step %c1 {
      %0 = memref.load %arg0[%arg2] : memref<20xi32>
      %1 = arith.cmpi slt, %0, %c100_i32 : i32
      %2 = scf.if %1 -> (i32) {
        %4 = arith.addi %0, %0 : i32
        scf.yield %4 : i32
      } else {
        scf.yield %c100_i32 : i32
      }
      %3 = arith.cmpi ult, %arg2, %c7 : index
      scf.if %3 {
        memref.store %2, %arg1[%arg2] : memref<20xi32>
      } else {
        %4 = arith.subi %c100_i32, %2 : i32
        memref.store %4, %arg1[%arg2] : memref<20xi32>
      }
    }
    return
  }
}
