// RUN: opt-tool --pass expand-registers --target none --verify-diagnostics %s

// CASE errs: registers have no addresses.
func.func @f(%x: memref<4xf32>) {
  %r = loop.alloc attributes {tw.place = #loop.place<register 1>} : memref<4xf32, "register">
  loop.for %i = 0 to 4 {
    %v = loop.load %x[%i] : memref<4xf32>
    // expected-error @below {{expected indices of registers to be constants and variables of unrolled loops}}
    loop.store %v, %r[%i] : memref<4xf32, "register">
  }
  func.return
}
