// RUN: opt-tool --pass plan-memory --remarks %s 2>&1 | filecheck %s

// CASE remarks: which parts are written in place, and why the others are not.
// CHECK:      remark[TW0770]: 1 of 2 parts that @join joins, 64 bytes, are written in place
// CHECK:      remark[TW0771]: part 2 of what @join joins is copied: it is an argument of @main
// CHECK:      remark[TW0771]: the parts that @columns joins are copied: the elements of a part do not lie in one piece
func.func @main(%x: memref<16xf32>, %y: memref<32xf32> {tw.output}, %z: memref<32xf32> {tw.output}) {
  %a = loop.alloc : memref<16xf32>
  func.call @double(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%a, %x, %y) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.call @columns(%a, %x, %z) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.return
}
func.func private @double(%x: memref<16xf32>, %y: memref<16xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    %v = loop.load %x[%i] : memref<16xf32>
    %d = arith.addf %v, %v : f32
    loop.store %d, %y[%i] : memref<16xf32>
  }
  func.return
}
func.func private @join(%a: memref<16xf32>, %b: memref<16xf32>, %y: memref<32xf32> {tw.output}) {
  loop.for %i = 0 to 32 {
    %zero = arith.constant 0.0 : f32
    %p = loop.load %b[%i - 16] where (%i >= 16) else %zero : memref<16xf32>
    %q = loop.load %a[%i] where (%i < 16) else %p : memref<16xf32>
    loop.store %q, %y[%i] : memref<32xf32>
  }
  func.return
}
func.func private @columns(%a: memref<16xf32>, %b: memref<16xf32>, %y: memref<32xf32> {tw.output}) {
  loop.for %i = 0 to 4 {
    loop.for %j = 0 to 8 {
      %zero = arith.constant 0.0 : f32
      %p = loop.load %b[%i * 4 + %j - 4] where (%j >= 4) else %zero : memref<16xf32>
      %q = loop.load %a[%i * 4 + %j] where (%j < 4) else %p : memref<16xf32>
      loop.store %q, %y[%i * 8 + %j] : memref<32xf32>
    }
  }
  func.return
}
