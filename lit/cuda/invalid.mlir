// RUN: not opt-tool --emit cuda-python %s 2>&1 | filecheck %s

// CHECK: invalid.mlir:6:3: error[TW0630]: expected loop %i of @main to be bound to blocks or threads of the GPU, but it is not
// CHECK: help: bind it:
func.func @main(%A: memref<8xf32>, %B: memref<8xf32> {tw.output}) attributes {tw.scheduled} {
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i] : memref<8xf32>
    loop.store %a, %B[%i] : memref<8xf32>
  }
  func.return
}
