// RUN: opt-tool --pass "vectorize{width=16}" --target none %s | filecheck %s

// CASE fires: the innermost loop with contiguous stores is the second one; its rest is masked.
// CHECK-LABEL: func.func private @matmul(
// CHECK:       loop.for %i = 0 to 30 {
// CHECK-NEXT:    loop.for %jo = 0 to 3 {
// CHECK-NEXT:      loop.for %k = 0 to 50 {
// CHECK:             loop.load %A[%i, %k] : memref<30x50xf32>
// CHECK:             loop.load %B[%k, %jo * 16 + lane] where (%jo * 16 + lane < 40) else %{{.*}} : memref<50x40xf32>, vector<16xf32>
// CHECK:             loop.store %{{.*}}, %C[%i, %jo * 16 + lane] where (%jo * 16 + lane < 40) : vector<16xf32>, memref<30x40xf32>
func.func private @matmul(%A: memref<30x50xf32>, %B: memref<50x40xf32>, %C: memref<30x40xf32>) {
  loop.for %i = 0 to 30 {
    loop.for %j = 0 to 40 {
      loop.for %k = 0 to 50 {
        %a = loop.load %A[%i, %k] : memref<30x50xf32>
        %b = loop.load %B[%k, %j] : memref<50x40xf32>
        %c = loop.load %C[%i, %j] : memref<30x40xf32>
        %p = arith.mulf %a, %b : f32
        %s = arith.addf %c, %p : f32
        loop.store %s, %C[%i, %j] : memref<30x40xf32>
      }
    }
  }
  func.return
}

// CASE fires: a parallel loop stays parallel outside.
// CHECK-LABEL: func.func private @parallel(
// CHECK:       loop.for %io = 0 to ((%n + 15) floordiv 16) kind parallel {
func.func private @parallel(%n: index, %A: memref<?xf32>, %C: memref<?xf32>) {
  loop.for %i = 0 to %n kind parallel {
    %a = loop.load %A[%i] : memref<?xf32>
    loop.store %a, %C[%i] : memref<?xf32>
  }
  func.return
}

// CASE leaves alone: every iteration stores to the same element, or stores have a large stride.
// CHECK-LABEL: func.func private @sum(
// CHECK-NOT:     vector
// CHECK-LABEL: func.func private @transpose(
// CHECK-NOT:     vector
func.func private @sum(%A: memref<64xf32>, %C: memref<1xf32>) {
  loop.for %i = 0 to 64 {
    %a = loop.load %A[%i] : memref<64xf32>
    %c = loop.load %C[0] : memref<1xf32>
    %s = arith.addf %c, %a : f32
    loop.store %s, %C[0] : memref<1xf32>
  }
  func.return
}

func.func private @transpose(%A: memref<1x64xf32>, %C: memref<64x2xf32>) {
  loop.for %i = 0 to 64 {
    %a = loop.load %A[0, %i] : memref<1x64xf32>
    loop.store %a, %C[%i, 0] : memref<64x2xf32>
  }
  func.return
}
