// RUN: opt-tool --pass double-buffer %s | filecheck %s
// RUN: opt-tool --pass double-buffer --remarks %s 2>&1 | filecheck %s --check-prefix=REMARK

// CASE fires: the first filling before the loop, the next one at the start of each iteration but the last.
// CHECK-LABEL: @tiles
// CHECK:      %b = loop.alloc : memref<2x8xf32>
// CHECK-NEXT: loop.for %j = 0 to 8 {
// CHECK-NEXT:   %x = loop.load %A[%j] : memref<128xf32>
// CHECK-NEXT:   loop.store %x, %b[0, %j] : memref<2x8xf32>
// CHECK:      loop.for %i = 0 to 16 {
// CHECK-NEXT:   loop.if (%i < 15) {
// CHECK-NEXT:     loop.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:       loop.load %A[%i * 8 + %{{.*}} + 8] : memref<128xf32>
// CHECK-NEXT:       loop.store %{{.*}}, %b[((%i + 1) mod 2), %{{.*}}] : memref<2x8xf32>
// CHECK:        loop.for %{{.*}} = 0 to 8 {
// CHECK-NEXT:     loop.load %b[(%i mod 2), %{{.*}}] : memref<2x8xf32>
func.func @tiles(%A: memref<128xf32>, %C: memref<128xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    %b = loop.alloc attributes {tw.double_buffer} : memref<8xf32>
    loop.for %j = 0 to 8 {
      %x = loop.load %A[%i * 8 + %j] : memref<128xf32>
      loop.store %x, %b[%j] : memref<8xf32> }
    loop.for %j = 0 to 8 {
      %y = loop.load %b[%j] : memref<8xf32>
      loop.store %y, %C[%i * 8 + %j] : memref<128xf32> }
  }
  func.return
}

// CASE remarks: what the loop writes cannot be fetched ahead.
// CHECK-LABEL: @in_place
// CHECK: %b = loop.alloc : memref<8xf32>
// REMARK: remark[TW0423]: a buffer is not doubled: it is filled from %A, which the loop writes
func.func @in_place(%A: memref<128xf32> {tw.output}) {
  loop.for %i = 0 to 15 {
    %b = loop.alloc attributes {tw.double_buffer} : memref<8xf32>
    loop.for %j = 0 to 8 {
      %x = loop.load %A[%i * 8 + %j] : memref<128xf32>
      loop.store %x, %b[%j] : memref<8xf32> }
    loop.for %j = 0 to 8 {
      %y = loop.load %b[%j] : memref<8xf32>
      loop.store %y, %A[%i * 8 + %j + 8] : memref<128xf32> }
  }
  func.return
}

// CASE leaves alone: nobody asked.
// CHECK-LABEL: @single
// CHECK: %b = loop.alloc : memref<8xf32>
func.func @single(%A: memref<128xf32>, %C: memref<128xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    %b = loop.alloc : memref<8xf32>
    loop.for %j = 0 to 8 {
      %x = loop.load %A[%i * 8 + %j] : memref<128xf32>
      loop.store %x, %b[%j] : memref<8xf32> }
    loop.for %j = 0 to 8 {
      %y = loop.load %b[%j] : memref<8xf32>
      loop.store %y, %C[%i * 8 + %j] : memref<128xf32> }
  }
  func.return
}
