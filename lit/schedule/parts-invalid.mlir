// RUN: not opt-tool --schedule %S/Inputs/parts_of_a_sum.schedule %s 2>&1 | filecheck %s

// Partial results are numbered by parts, whose first terms would be products in the indices of the new block.
// CHECK:      parts_of_a_sum.schedule:5:14: error[TW0411]: rfactor: cannot factor out loop %ko: the reduction of block 'B' is split into parts of symbolic length, and where one begins, %k_first, is a product, which is no index expression
// CHECK-NEXT:   %partial = schedule.rfactor %part
// CHECK:      help: split it by a factor, so that each part has a known length; its loops can be factored out
func.func @sums(%A: memref<?x?xf32>, %B: memref<?xf32> {tw.output}) {
  %m = loop.dim %A, 0 : memref<?x?xf32>
  %n = loop.dim %A, 1 : memref<?x?xf32>
  loop.bind %A shape [%m, %n] strides [%n, 1] : memref<?x?xf32>
  loop.bind %B shape [%m] strides [1] : memref<?xf32>
  %zero = arith.constant 0.0 : f32
  loop.for %i = 0 to %m {
    loop.for %k = 0 to %n {
      loop.block "B" (%vi = spatial(%i) in %m, %vk = reduce(%k) in %n) {
        loop.init {
          loop.store %zero, %B[%vi] : memref<?xf32>
        }
        %a = loop.load %A[%vi, %vk] : memref<?x?xf32>
        %b = loop.load %B[%vi] : memref<?xf32>
        %s = arith.addf %b, %a : f32
        loop.store %s, %B[%vi] : memref<?xf32>
      }
    }
  }
  func.return
}
