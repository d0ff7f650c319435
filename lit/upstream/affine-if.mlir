// A condition with a symbol, a modulus and another branch.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<9x8xi32>, %arg1: memref<9x8xi32>)
// CHECK: loop.for %arg2 = 0 to 9
// CHECK: loop.for %arg3 = 0 to 8
// CHECK: loop.if (%arg2 >= 1, %arg2 < 8, (%arg3 mod 2) >= 0, (%arg3 mod 2) < 1)
// CHECK: loop.store %0, %arg1[%arg2, %arg3] : memref<9x8xi32>
// CHECK: loop.store %c-1_i32, %arg1[%arg2, %arg3] : memref<9x8xi32>

#set = affine_set<(d0, d1)[s0] : (d0 - 1 >= 0, -d0 + s0 - 2 >= 0, d1 mod 2 == 0)>
module {
  func.func @main(%arg0: memref<9x8xi32>, %arg1: memref<9x8xi32>) {
    %c9 = arith.constant 9 : index
    %c-1_i32 = arith.constant -1 : i32
    affine.for %arg2 = 0 to 9 {
      affine.for %arg3 = 0 to 8 {
        affine.if #set(%arg2, %arg3)[%c9] {
          %0 = affine.load %arg0[%arg2, %arg3] : memref<9x8xi32>
          affine.store %0, %arg1[%arg2, %arg3] : memref<9x8xi32>
        } else {
          affine.store %c-1_i32, %arg1[%arg2, %arg3] : memref<9x8xi32>
        }
      }
    }
    return
  }
}
