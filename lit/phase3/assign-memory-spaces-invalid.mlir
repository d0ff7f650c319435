// RUN: opt-tool --pass assign-memory-spaces --no-auto-lower --target none --verify-diagnostics %s

// CASE errs: blocks are lowered before.
// expected-error @unknown {{pass 'assign-memory-spaces' works at level loop, but the module is at level block}}
func.func @f(%A: memref<4xf32>, %B: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    loop.block "B" (%vi = spatial(%i) in 4) {
      %a = loop.load %A[%vi] : memref<4xf32>
      loop.store %a, %B[%vi] : memref<4xf32>
    }
  }
  func.return
}
