// RUN: opt-tool --pass plan-arena --remarks %s 2>&1 | filecheck %s

// CASE remarks: two buffers that do not live at the same time lie on the same bytes.
// CHECK: remark[TW0521]: @main: 2 buffers, 512 bytes, in an arena of 256 bytes
func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) {
  %a = loop.alloc : memref<64xf32>
  loop.for %i = 0 to 64 {
    %v = loop.load %x[%i] : memref<64xf32>
    loop.store %v, %a[%i] : memref<64xf32>
  }
  loop.for %i = 0 to 64 {
    %v = loop.load %a[63 - %i] : memref<64xf32>
    loop.store %v, %x[%i] : memref<64xf32>
  }
  %b = loop.alloc : memref<64xf32>
  loop.for %i = 0 to 64 {
    %v = loop.load %x[%i] : memref<64xf32>
    loop.store %v, %b[%i] : memref<64xf32>
  }
  loop.for %i = 0 to 64 {
    %v = loop.load %b[63 - %i] : memref<64xf32>
    loop.store %v, %y[%i] : memref<64xf32>
  }
  func.return
}
