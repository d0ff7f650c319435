// RUN: opt-tool --pass expand-operations --no-auto-lower --target none --verify-diagnostics %s

// CASE errs: blocks are lowered before.
// expected-error @unknown {{pass 'expand-operations' works at level loop, but the module is at level block}}
func.func @f(%y: memref<4xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 4 {
    loop.block "y" (%v = spatial(%i) in 4) {
      loop.store %zero, %y[%v] : memref<4xf32>
    }
  }
  func.return
}
