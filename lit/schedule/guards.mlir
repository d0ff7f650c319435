// RUN: opt-tool --schedule %S/Inputs/register-tile.schedule --phase 3 --target none %s | filecheck %s

// How many guards a register-tiled product keeps in the loop over the sum, its hot loop: none where the tile divides;
// none in the main part where it does not, whether the sizes are known or not. The parts at the border keep theirs.

// CHECK-LABEL: func.func @dividing
// CHECK-NOT:     {{where|loop.if}}
func.func @dividing(%A: memref<64x64xf32>, %B: memref<64x64xf32>, %C: memref<64x64xf32> {tw.output}) {
  loop.for %i = 0 to 64 {
    loop.for %j = 0 to 64 {
      loop.for %k = 0 to 64 {
        loop.block "C" (%vi = spatial(%i) in 64, %vj = spatial(%j) in 64, %vk = reduce(%k) in 64) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            loop.store %zero, %C[%vi, %vj] : memref<64x64xf32>
          }
          %a = loop.load %A[%vi, %vk] : memref<64x64xf32>
          %b = loop.load %B[%vk, %vj] : memref<64x64xf32>
          %p = arith.mulf %a, %b : f32
          %c = loop.load %C[%vi, %vj] : memref<64x64xf32>
          %s = arith.addf %c, %p : f32
          loop.store %s, %C[%vi, %vj] : memref<64x64xf32>
        }
      }
    }
  }
  func.return
}

// Eight in all: at the right border one read and the store, at the lower border likewise, all four in the corner.
// CHECK-LABEL: func.func @prime
// CHECK:         loop.for %io = 0 to 15 {
// CHECK-NEXT:      loop.for %jo = 0 to 4 {
// CHECK-NOT:         {{where|loop.if}}
// CHECK:           %C_register_1
// CHECK-COUNT-8:   {{where|loop.if}}
// CHECK-NOT:     {{where|loop.if}}
func.func @prime(%A: memref<61x71xf32>, %B: memref<71x67xf32>, %C: memref<61x67xf32> {tw.output}) {
  loop.for %i = 0 to 61 {
    loop.for %j = 0 to 67 {
      loop.for %k = 0 to 71 {
        loop.block "C" (%vi = spatial(%i) in 61, %vj = spatial(%j) in 67, %vk = reduce(%k) in 71) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            loop.store %zero, %C[%vi, %vj] : memref<61x67xf32>
          }
          %a = loop.load %A[%vi, %vk] : memref<61x71xf32>
          %b = loop.load %B[%vk, %vj] : memref<71x67xf32>
          %p = arith.mulf %a, %b : f32
          %c = loop.load %C[%vi, %vj] : memref<61x67xf32>
          %s = arith.addf %c, %p : f32
          loop.store %s, %C[%vi, %vj] : memref<61x67xf32>
        }
      }
    }
  }
  func.return
}

// CHECK-LABEL: func.func @symbolic
// CHECK:         loop.for %io = 0 to min(((%n + 3) floordiv 4), (%n floordiv 4)) {
// CHECK-NEXT:      loop.for %jo = 0 to min(((%m + 15) floordiv 16), (%m floordiv 16)) {
// CHECK-NOT:         {{where|loop.if}}
// CHECK:           loop.for %jo_1 =
// CHECK-COUNT-8:   {{where|loop.if}}
// CHECK-NOT:     {{where|loop.if}}
func.func @symbolic(%A: memref<?x?xf32>, %B: memref<?x?xf32>, %C: memref<?x?xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x?xf32>
  %d = loop.dim %A, 1 : memref<?x?xf32>
  %m = loop.dim %B, 1 : memref<?x?xf32>
  loop.bind %A shape [%n, %d] strides [%d, 1] : memref<?x?xf32>
  loop.bind %B shape [%d, %m] strides [%m, 1] : memref<?x?xf32>
  loop.bind %C shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  loop.for %i = 0 to %n {
    loop.for %j = 0 to %m {
      loop.for %k = 0 to %d {
        loop.block "C" (%vi = spatial(%i) in %n, %vj = spatial(%j) in %m, %vk = reduce(%k) in %d) {
          loop.init {
            %zero = arith.constant 0.0 : f32
            loop.store %zero, %C[%vi, %vj] : memref<?x?xf32>
          }
          %a = loop.load %A[%vi, %vk] : memref<?x?xf32>
          %b = loop.load %B[%vk, %vj] : memref<?x?xf32>
          %p = arith.mulf %a, %b : f32
          %c = loop.load %C[%vi, %vj] : memref<?x?xf32>
          %s = arith.addf %c, %p : f32
          loop.store %s, %C[%vi, %vj] : memref<?x?xf32>
        }
      }
    }
  }
  func.return
}
