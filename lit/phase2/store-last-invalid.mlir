// RUN: opt-tool --pass store-last --no-auto-lower --verify-diagnostics --target none %s

// CASE errs: what a block loads and stores is for schedules to move.
// expected-error @unknown {{pass 'store-last' works at level loop, but the module is at level block}}
func.func @copied(%A: memref<4xf32>, %C: memref<4xf32>) {
  loop.for %i = 0 to 4 kind unrolled {
    loop.block "C" (%vi = spatial(%i) in 4) {
      %a = loop.load %A[%vi] : memref<4xf32>
      loop.store %a, %C[%vi] : memref<4xf32>
    }
  }
  func.return
}
