// RUN: ROUNDTRIP

// CHECK-LABEL: func.func @calls(
// CHECK-SAME:      attributes {tw.foreign = [#loop.foreign<"llvm", "define void @g() { ret void }">]} {
func.func @calls(%A: memref<64x32xf32>, %n: memref<?x8xf32>, %x: f32)
    attributes {tw.foreign = [#loop.foreign<"llvm", "define void @g() { ret void }">]} {
  loop.for %i = 0 to 4 {
    // CHECK: %r = loop.call_extern "f"(update %A[%i * 16, 0] box [16, 32] : memref<64x32xf32>, read %n[%i, 0] box [1, 8] : memref<?x8xf32>, stride %n 0 of memref<?x8xf32> : i64, index %i + 1 : i32, %x : f32) attributes {note = "x"} -> i32
    %r = loop.call_extern "f"(update %A[%i * 16, 0] box [16, 32] : memref<64x32xf32>,
        read %n[%i, 0] box [1, 8] : memref<?x8xf32>, stride %n 0 of memref<?x8xf32> : i64, index %i + 1 : i32,
        %x : f32) attributes {note = "x"} -> i32
    // CHECK-NEXT: loop.call_extern "g"()
    loop.call_extern "g"()
    // CHECK-NEXT: loop.block "outer" (%v = spatial(%i) in 4) {
    // CHECK-NEXT:   loop.for %j = 0 to 16 {
    // CHECK-NEXT:     loop.block "inner" (%w = spatial(%v * 16 + %j) in 64) {
    loop.block "outer" (%v = spatial(%i) in 4) {
      loop.for %j = 0 to 16 {
        loop.block "inner" (%w = spatial(%v * 16 + %j) in 64) {
          loop.store %x, %A[%w, 0] : memref<64x32xf32>
        }
      }
    }
  }
  func.return
}
