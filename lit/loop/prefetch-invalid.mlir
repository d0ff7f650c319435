// RUN: opt-tool --verify-diagnostics %s

func.func private @k() {
  %r = loop.alloc : memref<4xf32, "register">
  // expected-error @+1 {{expected a buffer in memory, but got one in registers}}
  loop.prefetch %r[0] : memref<4xf32, "register">
  func.return
}
