// RUN: opt-tool --emit cuda-python %s | filecheck %s

// Shared memory of a block is declared first; threads wait before one reads an element that another wrote. A private
// buffer is a local array, and the loop over it ends at a constant. A load that is guarded takes no branch.
// CHECK:      def main_kernel0(x, y):
// CHECK-NEXT:     s = cuda.shared.array(32, float32)
// CHECK-NEXT:     b = int64(cuda.blockIdx.x)
// CHECK-NEXT:     t = int64(cuda.threadIdx.x)
// CHECK-NEXT:     s[uint64(t)] = x[uint64(b * 32 + t)]
// CHECK-NEXT:     own = cuda.local.array(2, float32)
// CHECK-NEXT:     cuda.syncthreads()
// CHECK-NEXT:     for i in range(2):
// CHECK-NEXT:         inside = uint32(t + i) < 32
// CHECK-NEXT:         at = uint64(-t - i + 31)
// CHECK-NEXT:         own[uint64(i)] = s[at if inside else uint64(0)] if inside else float32(0.0)
// CHECK-NEXT:     y[uint64(b * 32 + t)] = own[0] + own[1]
func.func @main(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) attributes {tw.scheduled} {
  %zero = arith.constant 0.0 : f32
  loop.for %b = 0 to 2 kind thread<"blockIdx.x"> {
    %s = loop.alloc : memref<32xf32, "shared">
    loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
      %v = loop.load %x[%b * 32 + %t] : memref<64xf32>
      loop.store %v, %s[%t] : memref<32xf32, "shared">
    }
    loop.for %t = 0 to 32 kind thread<"threadIdx.x"> {
      %own = loop.alloc : memref<2xf32, "local">
      loop.for %i = 0 to 2 {
        %w = loop.load %s[31 - %t - %i] where (%t + %i < 32) else %zero : memref<32xf32, "shared">
        loop.store %w, %own[%i] : memref<2xf32, "local">
      }
      %p = loop.load %own[0] : memref<2xf32, "local">
      %q = loop.load %own[1] : memref<2xf32, "local">
      %r = arith.addf %p, %q : f32
      loop.store %r, %y[%b * 32 + %t] : memref<64xf32>
    }
  }
  func.return
}
