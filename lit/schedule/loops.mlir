// RUN: opt-tool --schedule %S/Inputs/loops.schedule --phase 3 --target host %s | filecheck %s

// Partial sums stay in a register of eight lanes, without a guard.
// CHECK-LABEL: func.func @lanes(
// CHECK:       loop.for %i = 0 to 4 {
// CHECK-NEXT:    %B_rf = loop.alloc attributes {tw.place = #loop.place<register 8>} : memref<1x8xf32, "register">
// CHECK-NEXT:    loop.store %identity, %B_rf[0, lane] : vector<8xf32>, memref<1x8xf32, "register">
// CHECK-NEXT:    loop.for %ko = 0 to 8 {
// CHECK-NEXT:      %[[A:.*]] = loop.load %A_1[%i * 64 + %ko * 8 + lane] : memref<256xf32>, vector<8xf32>
// CHECK:           %[[S:.*]] = arith.addf %{{.*}}, %[[A]] : vector<8xf32>
// CHECK-NEXT:      loop.store %[[S]], %B_rf[0, lane] : vector<8xf32>, memref<1x8xf32, "register">
// CHECK-NEXT:    }
// CHECK-NEXT:    loop.for %ki = 0 to 8 kind unrolled {
// CHECK:           loop.load %B_rf[0, %ki] : memref<1x8xf32, "register">
func.func @lanes(%A: memref<4x64xf32>, %B: memref<4xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 4 {
    loop.for %k = 0 to 64 {
      loop.block "B" (%vi = spatial(%i) in 4, %vk = reduce(%k) in 64) {
        loop.init {
          loop.store %zero, %B[%vi] : memref<4xf32>
        }
        %a = loop.load %A[%vi, %vk] : memref<4x64xf32>
        %b = loop.load %B[%vi] : memref<4xf32>
        %s = arith.addf %b, %a : f32
        loop.store %s, %B[%vi] : memref<4xf32>
      }
    }
  }
  func.return
}

// The guards of the first and the last element hold or fail there as a whole, and nowhere else.
// CHECK-LABEL: func.func @borders(
// CHECK:       loop.load %A[1] : memref<32xf32>
// CHECK:       loop.store %{{.*}}, %D[0] : memref<32xf32>
// CHECK:       loop.load %A[30] : memref<32xf32>
// CHECK:       loop.store %{{.*}}, %D[31] : memref<32xf32>
func.func @borders(%A: memref<32xf32>, %D: memref<32xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 32 {
    loop.block "D" (%vi = spatial(%i) in 32) {
      %a = loop.load %A[%vi - 1] where (%vi >= 1) else %zero : memref<32xf32>
      %b = loop.load %A[%vi + 1] where (%vi < 31) else %zero : memref<32xf32>
      %d = arith.addf %a, %b : f32
      loop.store %d, %D[%vi] : memref<32xf32>
    }
  }
  func.return
}
