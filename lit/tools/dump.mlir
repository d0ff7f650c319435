// RUN: opt-tool --pass "unroll,cse" --dump-dir %t.dir %s -o /dev/null
// RUN: cat %t.dir/000-input.mlir | filecheck %s --check-prefix INPUT
// RUN: cat %t.dir/001-phase2-unroll.mlir | filecheck %s --check-prefix UNROLL
// RUN: cat %t.dir/002-phase3-cse.mlir | filecheck %s --check-prefix CSE
// RUN: opt-tool %t.dir/002-phase3-cse.mlir | filecheck %s --check-prefix CSE
// RUN: not opt-tool --pass cse --dump-dir %s %s 2>&1 | filecheck %s --check-prefix FILE

// INPUT:       loop.for %k = 0 to 2 {
// INPUT-COUNT-2: loop.load
// UNROLL:      // after unroll
// UNROLL:      loop.for %k = 0 to 2 kind unrolled {
// CSE:         loop.for %k = 0 to 2 kind unrolled {
// CSE-NEXT:    loop.load
// CSE-NEXT:    arith.addf
// FILE:        error[TW0204]: cannot write '{{.*}}dump.mlir'
func.func @twice(%A: memref<8xf32>, %B: memref<8xf32>) {
  loop.for %k = 0 to 2 {
    %a = loop.load %A[%k] : memref<8xf32>
    %b = loop.load %A[%k] : memref<8xf32>
    %c = arith.addf %a, %b : f32
    loop.store %c, %B[%k] : memref<8xf32>
  }
  func.return
}
