// RUN: not opt-tool --pass reuse-storage --no-auto-lower %s 2>&1 | filecheck %s

// CASE errs: statements may still move at the level of blocks, and lifetimes with them.
// CHECK: error[TW0205]: pass 'reuse-storage' works at level loop, but the module is at level block
func.func @blocks(%A: memref<4xf32>, %x: f32) {
  loop.for %i = 0 to 4 {
    loop.block "A" (%v = spatial(%i) in 4) {
      loop.store %x, %A[%v] : memref<4xf32>
    }
  }
  func.return
}
