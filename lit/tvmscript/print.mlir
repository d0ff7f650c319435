// RUN: opt-tool --emit tvmscript %s | filecheck %s
// RUN: opt-tool --emit tvmscript %s -o %t.py
// RUN: opt-tool %t.py | filecheck %s --check-prefix=AGAIN

// Blocks are in the classic syntax, what it has no word for is in T.tw.

// CHECK:      from tilewright.script import ir as I
// CHECK-NEXT: from tilewright.script import tir as T
// CHECK:      @I.ir_module
// CHECK-NEXT: class Module:
// CHECK-NEXT:     @T.prim_func
// CHECK-NEXT:     def main(var_A: T.handle, var_B: T.handle):
// CHECK-NEXT:         n = T.int32()
// CHECK-NEXT:         A = T.match_buffer(var_A, (n, 64), "float32")
// CHECK-NEXT:         B = T.match_buffer(var_B, (n,), "float32")
// CHECK-NEXT:         for i, k in T.grid(n, 64):
// CHECK-NEXT:             with T.block("sum"):
// CHECK-NEXT:                 vi, vk = T.axis.remap("SR", [i, k])
// CHECK-NEXT:                 with T.init():
// CHECK-NEXT:                     B[vi] = T.float32(0.0)
// CHECK-NEXT:                 B[vi] = B[vi] + T.exp(A[vi, vk])

// AGAIN:      func.func @main(%A: memref<?x64xf32> {tw.name = "A"}, %B: memref<?xf32> {tw.name = "B", tw.output}) {
// AGAIN-NEXT:   %n = loop.dim %A, 0 : memref<?x64xf32>
// AGAIN:        loop.block "sum" (%vi = spatial(%i) in %n, %vk = reduce(%k) in 64) {
func.func @main(%A: memref<?x64xf32> {tw.name = "A"}, %B: memref<?xf32> {tw.name = "B", tw.output}) {
  %n = loop.dim %A, 0 : memref<?x64xf32>
  loop.bind %A shape [%n, 64] strides [64, 1] : memref<?x64xf32>
  loop.bind %B shape [%n] strides [1] : memref<?xf32>
  loop.for %i = 0 to %n {
    loop.for %k = 0 to 64 {
      loop.block "sum" (%vi = spatial(%i) in %n, %vk = reduce(%k) in 64) {
        loop.init {
          %zero = arith.constant 0.0 : f32
          loop.store %zero, %B[%vi] : memref<?xf32>
        }
        %s = loop.load %B[%vi] : memref<?xf32>
        %a = loop.load %A[%vi, %vk] : memref<?x64xf32>
        %e = math.exp %a : f32
        %t = arith.addf %s, %e : f32
        loop.store %t, %B[%vi] : memref<?xf32>
      }
    }
  }
  func.return
}

// CHECK:          def lanes(A: T.Buffer((20,), "float32"), B: T.Buffer((20,), "float32")):
// CHECK-NEXT:         zero = T.float32(0.0)
// CHECK-NEXT:         for i in T.parallel(3):
// CHECK-NEXT:             v = T.tw.load(A, (i * 8 + T.tw.lane,), where=[i * 8 + T.tw.lane < 20], otherwise=zero, lanes=8)
// CHECK-NEXT:             T.tw.store(B, (i * 8 + T.tw.lane,), v, where=[i * 8 + T.tw.lane < 20])
func.func @lanes(%A: memref<20xf32> {tw.name = "A"}, %B: memref<20xf32> {tw.name = "B", tw.output}) {
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to 3 kind parallel {
    %v = loop.load %A[%i * 8 + lane] where (%i * 8 + lane < 20) else %zero : memref<20xf32>, vector<8xf32>
    loop.store %v, %B[%i * 8 + lane] where (%i * 8 + lane < 20) : vector<8xf32>, memref<20xf32>
  }
  func.return
}
