// RUN: not opt-tool --emit c %s 2>&1 | filecheck %s

// CHECK: not-executable.mlir:7:3: error[TW0601]: expected a loop of kind serial, parallel, unrolled, but got thread blockIdx.x
// CHECK: help: c has no threads of a GPU: build for "opencl", or make the loop parallel
func.func @main(%y: memref<8xf32> {tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 kind thread<"blockIdx.x"> {
    loop.store %zero, %y[%i] : memref<8xf32>
  }
  func.return
}
