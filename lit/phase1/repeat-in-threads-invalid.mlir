// RUN: opt-tool --pass repeat-in-threads --no-auto-lower --verify-diagnostics %s

// CASE errs: where blocks run is for their schedule to say, and so is what one thread does.
// expected-error @unknown {{pass 'repeat-in-threads' works at level loop, but the module is at level block}}
func.func @row(%x: f32) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<64xf32, "shared">
    loop.for %t = 0 to 64 kind thread<"threadIdx.x"> {
      loop.block "s" (%vi = spatial(%t) in 64) {
        loop.store %x, %s[%vi] : memref<64xf32, "shared">
      }
    }
  }
  func.return
}
