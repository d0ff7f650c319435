// RUN: ROUNDTRIP

// CHECK-LABEL: func.func private @k(
// CHECK: loop.for %k = 0 to 4 {
// CHECK-NEXT: loop.if (%b + %k >= 1) {
// CHECK-NEXT: loop.barrier <"shared">
// CHECK: loop.barrier <"global"> attributes {
func.func private @k(%x: memref<4x8xf32>) {
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<8xf32, "shared">
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %v = loop.load %x[%b, %t] : memref<4x8xf32>
      loop.store %v, %s[%t] : memref<8xf32, "shared">
      loop.for %k = 0 to 4 {
        loop.if (%b + %k >= 1) {
          loop.barrier <"shared">
        }
      }
      loop.barrier <"global"> attributes {why = "example"}
    }
  }
  func.return
}
