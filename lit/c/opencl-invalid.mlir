// RUN: not opt-tool --emit opencl %s 2>&1 | filecheck %s

// CHECK: opencl-invalid.mlir:13:7: error[TW0537]: expected different threads to write disjoint elements of %B, but iterations (i=0, j=0) and (i=0, j=1)
func.func @main(%A: memref<8xf32>, %B: memref<8xf32> {tw.output}) attributes {tw.scheduled} {
  loop.for %i = 0 to 8 kind thread<"blockIdx.x"> {
    loop.for %j = 0 to 1 {
      %a = loop.load %A[%i] : memref<8xf32>
      %b = arith.addf %a, %a : f32
      loop.store %b, %B[%i] : memref<8xf32>
    }
    loop.for %j = 0 to 4 kind thread<"threadIdx.x"> {
      %a = loop.load %A[%i] : memref<8xf32>
      loop.store %a, %B[%i] : memref<8xf32>
    }
  }
  func.return
}
