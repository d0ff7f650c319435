// RUN: opt-tool --pass inline-calls --split-input-file %s | filecheck %s

// CASE fires: the function's kernel stands in its caller, with the caller's buffer; nobody calls it afterwards.
// CHECK-NOT:     @fill
// CHECK-LABEL: func.func @main(
// CHECK-NEXT:    loop.for %i = 0 to 8 kind thread<"threadIdx.x"> {
// CHECK-NEXT:      loop.store %one, %y[%i] : memref<8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func private @fill(%x: memref<8xf32>, %one: f32) {
  loop.for %i = 0 to 8 kind thread<"threadIdx.x"> {
    loop.store %one, %x[%i] : memref<8xf32>
  }
  func.return
}
func.func @main(%one: f32, %y: memref<8xf32> {tw.output}) {
  func.call @fill(%y, %one) : (memref<8xf32>, f32) -> ()
  func.return
}

// -----

// CASE fires: the size of a buffer that the caller allocates is the one that it allocates it with.
// CHECK-LABEL: func.func @sized(
// CHECK:         %t = loop.alloc (%n + 1) : memref<?xf32>
// CHECK-NEXT:    %{{.*}} = loop.apply (%n + 1)
// CHECK-NOT:     loop.dim
func.func private @fill(%x: memref<?xf32>, %one: f32) {
  %m = loop.dim %x, 0 : memref<?xf32>
  loop.for %i = 0 to %m kind thread<"threadIdx.x"> {
    loop.store %one, %x[%i] : memref<?xf32>
  }
  func.return
}
func.func @sized(%n: index, %one: f32) {
  %t = loop.alloc (%n + 1) : memref<?xf32>
  func.call @fill(%t, %one) : (memref<?xf32>, f32) -> ()
  func.return
}

// -----

// CASE leaves alone: there are no calls, and a private function may be called from elsewhere.
// CHECK-LABEL: func.func private @alone(
func.func private @alone(%x: memref<8xf32>) {
  func.return
}
