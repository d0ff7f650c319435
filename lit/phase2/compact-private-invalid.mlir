// RUN: opt-tool --pass compact-private --no-auto-lower --verify-diagnostics %s

// CASE errs: where a block runs is for its schedule to say, and so is what one thread touches.
// expected-error @unknown {{pass 'compact-private' works at level loop, but the module is at level block}}
func.func @fetched(%A: memref<128xf32>) {
  loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
    %a = loop.alloc : memref<128xf32, "local">
    loop.for %i = 0 to 4 {
      loop.block "a" (%vi = spatial(%t * 4 + %i) in 128) {
        %x = loop.load %A[%vi] : memref<128xf32>
        loop.store %x, %a[%vi] : memref<128xf32, "local">
      }
    }
  }
  func.return
}
