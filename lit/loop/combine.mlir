// RUN: ROUNDTRIP
// RUN: opt-tool --pass lower-blocks %s | filecheck %s --check-prefix=LOWERED

// CHECK-LABEL: func.func @argmax(
// LOWERED-LABEL: func.func @argmax(
func.func @argmax(%A: memref<8xf32>, %I: memref<i32> {tw.output}, %V: memref<f32> {tw.output}) {
  loop.for %k = 0 to 8 {
    loop.block "T" (%vk = reduce(%k) in 8) {
      loop.init {
        %none = arith.constant -1 : i32
        %least = arith.constant 0xff800000 : f32
        loop.store %none, %I[] : memref<i32>
        loop.store %least, %V[] : memref<f32>
      }
      %n = arith.index_cast %vk : index to i32
      %a = loop.load %A[%vk] : memref<8xf32>
      %i = loop.load %I[] : memref<i32>
      %v = loop.load %V[] : memref<f32>
      // LOWERED: %[[LATER:.*]] = arith.cmpf ogt, %a, %v : f32
      // LOWERED-NEXT: %[[INDEX:.*]] = arith.select %[[LATER]], %n, %i : i32
      // LOWERED-NEXT: %[[VALUE:.*]] = arith.select %[[LATER]], %a, %v : f32
      // LOWERED-NEXT: loop.store %[[INDEX]], %I[] : memref<i32>
      // LOWERED-NEXT: loop.store %[[VALUE]], %V[] : memref<f32>
      // CHECK: loop.combine %i, %v with %n, %a : i32, f32 identity [-1 : i32, 0xff800000 : f32] by (%xi, %xv), (%yi, %yv) {
      %p, %m = loop.combine %i, %v with %n, %a : i32, f32 identity [-1 : i32, 0xff800000 : f32] by (%xi, %xv), (%yi, %yv) {
        %later = arith.cmpf ogt, %yv, %xv : f32
        %best = arith.select %later, %yi, %xi : i32
        %most = arith.select %later, %yv, %xv : f32
        // CHECK: loop.yield
        loop.yield %best, %most : i32, f32
      }
      loop.store %p, %I[] : memref<i32>
      loop.store %m, %V[] : memref<f32>
    }
  }
  func.return
}
