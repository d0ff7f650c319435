// Reductions in the short and in the long form, and a map.
// RUN: opt-tool --pass lower-blocks --validate --target none %s | filecheck %s

// CHECK-LABEL: func.func @main(%arg0: memref<5x9xf32>, %reduced: memref<5xf32> {tw.output}, %mapped: memref<9xf32> {tw.output})
// CHECK: loop.for %i0 = 0 to 5
// CHECK: loop.for %i1 = 0 to 9
// CHECK: loop.if (%i1 < 1)
// CHECK: loop.store %0, %reduced[%i0] : memref<5xf32>
// CHECK: loop.store %3, %reduced[%i0] : memref<5xf32>
// CHECK: loop.for %i1_1 = 0 to 9
// CHECK: loop.for %i0_1 = 0 to 5
// CHECK: loop.if (%i0_1 < 1)
// CHECK: loop.store %4, %reduced_1[%i1_1] : memref<9xf32>
// CHECK: loop.store %8, %reduced_1[%i1_1] : memref<9xf32>
// CHECK: loop.for %i0_2 = 0 to 9
// CHECK: loop.store %10, %mapped[%i0_2] : memref<9xf32>

module {
  func.func @main(%arg0: tensor<5x9xf32>) -> (tensor<5xf32>, tensor<9xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<5xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<5xf32>) -> tensor<5xf32>
    %reduced = linalg.reduce { arith.addf } ins(%arg0 : tensor<5x9xf32>) outs(%1 : tensor<5xf32>) dimensions = [1] 
    %2 = tensor.empty() : tensor<9xf32>
    %3 = linalg.fill ins(%cst_0 : f32) outs(%2 : tensor<9xf32>) -> tensor<9xf32>
    %reduced_1 = linalg.reduce ins(%arg0 : tensor<5x9xf32>) outs(%3 : tensor<9xf32>) dimensions = [0] 
      (%in: f32, %init: f32) {
        %5 = math.absf %in : f32
        %6 = arith.maximumf %5, %init : f32
        linalg.yield %6 : f32
      }
    %4 = tensor.empty() : tensor<9xf32>
    %mapped = linalg.map { math.sqrt } ins(%reduced_1 : tensor<9xf32>) outs(%4 : tensor<9xf32>)
    return %reduced, %mapped : tensor<5xf32>, tensor<9xf32>
  }
}
