// RUN: opt-tool --pass note-aliases --no-auto-lower --verify-diagnostics %s

// CASE errs: calls and views are not final where there are blocks.
// expected-error @unknown {{pass 'note-aliases' works at level loop, but the module is at level block}}
func.func @copy(%A: memref<4xf32>, %B: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    loop.block "B" (%vi = spatial(%i) in 4) {
      %a = loop.load %A[%vi] : memref<4xf32>
      loop.store %a, %B[%vi] : memref<4xf32>
    }
  }
  func.return
}
