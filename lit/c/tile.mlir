// RUN: opt-tool --emit c %s | filecheck %s

// A register tile is an array, loops keep their names, and comments name the lines of this file.
// CHECK:      // tile.mlir:{{[0-9]+}}
// CHECK-NEXT: static void main_1(const float *restrict A, const float *restrict B, float *restrict C, int32_t threads) {
// CHECK-NEXT: #ifdef _OPENMP
// CHECK-NEXT: #pragma omp parallel for num_threads(threads) schedule(static)
// CHECK-NEXT: #endif
// CHECK-NEXT:   for (int64_t i = 0; i < 8; ++i) {  // tile.mlir:{{[0-9]+}}
// CHECK-NEXT:     float acc[8];
// CHECK-NEXT:     for (int64_t j = 0; j < 8; ++j) {  // tile.mlir:{{[0-9]+}}
// CHECK-NEXT:       acc[j] = 0.0f;  // tile.mlir:{{[0-9]+}}
// CHECK-NEXT:     }
// CHECK-NEXT:     for (int64_t k = 0; k < 16; ++k) {  // tile.mlir:{{[0-9]+}}
// CHECK-NEXT:       const float a = A[i * 16 + k];
// CHECK-NEXT:       for (int64_t j = 0; j < 8; ++j) {  // tile.mlir:{{[0-9]+}}
// CHECK-NEXT:         acc[j] = acc[j] + a * B[k * 8 + j];  // tile.mlir:{{[0-9]+}}
// CHECK-NEXT:       }
// CHECK-NEXT:     }
// CHECK-NEXT:     for (int64_t j = 0; j < 8; ++j) {  // tile.mlir:{{[0-9]+}}
// CHECK-NEXT:       C[i * 8 + j] = acc[j];  // tile.mlir:{{[0-9]+}}
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: }
// CHECK:      int32_t tw_entry_main(
// CHECK:        main_1(arguments[0], arguments[1], arguments[2], threads);
// CHECK-NEXT:   return 0;
func.func @main(%A: memref<8x16xf32>, %B: memref<16x8xf32>, %C: memref<8x8xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 kind parallel {
    %acc = loop.alloc : memref<8xf32, "register">
    loop.for %j = 0 to 8 kind unrolled {
      loop.store %zero, %acc[%j] : memref<8xf32, "register">
    }
    loop.for %k = 0 to 16 {
      %a = loop.load %A[%i, %k] : memref<8x16xf32>
      loop.for %j = 0 to 8 kind unrolled {
        %b = loop.load %B[%k, %j] : memref<16x8xf32>
        %p = arith.mulf %a, %b : f32
        %c = loop.load %acc[%j] : memref<8xf32, "register">
        %s = arith.addf %c, %p : f32
        loop.store %s, %acc[%j] : memref<8xf32, "register">
      }
    }
    loop.for %j = 0 to 8 kind unrolled {
      %c = loop.load %acc[%j] : memref<8xf32, "register">
      loop.store %c, %C[%i, %j] : memref<8x8xf32>
    }
  }
  func.return
}
