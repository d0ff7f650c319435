// RUN: opt-tool --pass hoist --no-auto-lower --verify-diagnostics %s

// CASE errs: what leaves a loop must not be moved by a schedule afterwards.
// expected-error @unknown {{pass 'hoist' works at level loop, but the module is at level block}}
func.func @copy(%A: memref<4xf32>, %B: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    loop.block "B" (%vi = spatial(%i) in 4) {
      %a = loop.load %A[%vi] : memref<4xf32>
      loop.store %a, %B[%vi] : memref<4xf32>
    }
  }
  func.return
}
