// RUN: ROUNDTRIP

// CHECK-LABEL: func.func private @k(
// CHECK:      loop.store %v, %s[%t] attributes {tw.async} : memref<8xf32, "shared">
// CHECK-NEXT: loop.async_commit
// CHECK-NEXT: loop.async_wait <1>
// CHECK-NEXT: loop.async_commit attributes {
func.func private @k(%x: memref<8xf32>) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<8xf32, "shared">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %v = loop.load %x[%t] : memref<8xf32>
      loop.store %v, %s[%t] attributes {tw.async} : memref<8xf32, "shared">
      loop.async_commit
      loop.async_wait <1>
      loop.async_commit attributes {note = "empty"}
    }
  }
  func.return
}
