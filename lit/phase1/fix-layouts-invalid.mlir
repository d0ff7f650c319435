// RUN: opt-tool --pass fix-layouts --no-auto-lower --verify-diagnostics %s

// CASE errs: arguments of kernels are buffers only after blocks are lowered.
// expected-error @unknown {{pass 'fix-layouts' works at level loop, but the module is at level block}}
func.func @copy(%A: memref<4xf32>, %B: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    loop.block "B" (%vi = spatial(%i) in 4) {
      %a = loop.load %A[%vi] : memref<4xf32>
      loop.store %a, %B[%vi] : memref<4xf32>
    }
  }
  func.return
}
