// RUN: opt-tool --pass lower-vthread --verify-diagnostics %s

// CASE errs: how many copies of its storage there are is not known.
func.func @symbolic(%A: memref<?xf32>, %n: index, %x: f32) {
  // expected-error @+1 {{loop %v is of kind vthread, but its number of threads is no constant}}
  loop.for %v = 0 to %n kind vthread {
    loop.store %x, %A[%v] : memref<?xf32>
  }
  func.return
}
