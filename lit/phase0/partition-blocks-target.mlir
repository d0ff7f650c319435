// RUN: opt-tool --pass partition-blocks --target none %s | filecheck %s
// RUN: opt-tool --pass partition-blocks --target cuda %s | filecheck %s

// CASE leaves alone: without a target nobody asks for vectors, and a kernel of a GPU selects by thread.
// CHECK-LABEL: func.func private @joined(
// CHECK:         loop.for %i = 0 to 12 {
func.func private @joined(%a: memref<8xf32>, %b: memref<4xf32>, %r: memref<12xf32> {tw.output}) {
  loop.for %i = 0 to 12 {
    loop.block "concat" (%vi = spatial(%i) in 12) {
      %zero = arith.constant 0.0 : f32
      %0 = loop.load %b[%vi - 8] where (%vi >= 8) else %zero : memref<4xf32>
      %1 = loop.load %a[%vi] where (%vi < 8) else %0 : memref<8xf32>
      loop.store %1, %r[%vi] : memref<12xf32>
    }
  }
  func.return
}
