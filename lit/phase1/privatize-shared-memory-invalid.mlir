// RUN: opt-tool --pass privatize-shared-memory --no-auto-lower --verify-diagnostics %s

// CASE errs: which thread touches an element is for the schedule to say while there are blocks.
// expected-error @unknown {{pass 'privatize-shared-memory' works at level loop, but the module is at level block}}
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
