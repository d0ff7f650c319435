// A named product on memrefs, after a fill: the fill becomes the init of the reduction.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<17x23xf32>, %arg1: memref<23x19xf32>, %arg2: memref<17x19xf32>)
// CHECK: loop.for %i0 = 0 to 17
// CHECK: loop.for %i1 = 0 to 19
// CHECK: loop.for %i2 = 0 to 23
// CHECK: loop.if (%i2 < 1)
// CHECK: loop.store %cst, %arg2[%i0, %i1] : memref<17x19xf32>
// CHECK: loop.store %4, %arg2[%i0, %i1] : memref<17x19xf32>

module {
  func.func @main(%arg0: memref<17x23xf32>, %arg1: memref<23x19xf32>, %arg2: memref<17x19xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    linalg.fill ins(%cst : f32) outs(%arg2 : memref<17x19xf32>)
    linalg.matmul ins(%arg0, %arg1 : memref<17x23xf32>, memref<23x19xf32>) outs(%arg2 : memref<17x19xf32>)
    return
  }
}
