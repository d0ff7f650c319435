// RUN: opt-tool --pass sink-allocations --print-pipeline %s 2>&1 | filecheck %s
// RUN: not opt-tool --pass sink-allocations --no-auto-lower %s 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not opt-tool --pass relax-guards --no-auto-lower %s 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not opt-tool --pass plan-arena --no-auto-lower %s 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not opt-tool --pass fix-layouts --no-auto-lower %s 2>&1 | filecheck %s --check-prefix=REFUSED
// RUN: not opt-tool --pass flatten-buffers --no-auto-lower %s 2>&1 | filecheck %s --check-prefix=REFUSED

// Passes over storage need plain statements in loops: blocks are lowered first.
// CHECK:   lower-blocks
// CHECK:   sink-allocations
// REFUSED: error[TW0205]: pass '{{.*}}' works at level loop, but the module is at level block
func.func @k(%C: memref<4xf32>, %v: f32) {
  loop.for %i = 0 to 4 {
    loop.block "C" (%vi = spatial(%i) in 4) { loop.store %v, %C[%vi] : memref<4xf32> }
  }
  func.return
}
