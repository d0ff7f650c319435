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

// CASE fires: memory that threads share is doubled outside of their loops, for the loop whose iterations fill it.
// CHECK-LABEL: func.func @shared(
// CHECK:      %s = loop.alloc : memref<2x8xf32, "shared">
// CHECK-NEXT: loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
// CHECK-NEXT:   loop.for %{{.*}} = 0 to 8 kind thread<"threadIdx.x"> {
// CHECK:          loop.store %{{.*}}, %s[0, %{{.*}}] : memref<2x8xf32, "shared">
// CHECK:        loop.for %i = 0 to 4 {
// CHECK-NEXT:     loop.if (%i < 3) {
// CHECK:            loop.store %{{.*}}, %s[((%i + 1) mod 2), %{{.*}}] : memref<2x8xf32, "shared">
// CHECK:          loop.load %s[(%i mod 2), 0] : memref<2x8xf32, "shared">
func.func @shared(%A: memref<32xf32>, %C: memref<4x8xf32> {tw.output}) {
  %s = loop.alloc attributes {tw.double_buffer} : memref<8xf32, "shared">
  loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
    loop.for %i = 0 to 4 {
      loop.for %u = 0 to 8 kind thread<"threadIdx.x"> {
        %x = loop.load %A[%i * 8 + %u] : memref<32xf32>
        loop.store %x, %s[%u] : memref<8xf32, "shared">
      }
      %y = loop.load %s[0] : memref<8xf32, "shared">
      loop.store %y, %C[%i, %t] : memref<4x8xf32>
    }
  }
  func.return
}
