// RUN: opt-tool --pass plan-arena --remarks %s 2>&1 | filecheck %s

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

// CASE remarks: why a result cannot be written early.
// CHECK:      remark[TW0771]: the parts that @join joins are copied: it is not known where the result lies
func.func @somewhere(%n: index, %x: memref<16xf32>, %y: memref<128xf32> {tw.output}) {
  %a = loop.alloc : memref<16xf32>
  %r = loop.view %y[%n * 64] : memref<128xf32> to memref<32xf32>
  func.call @double(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%a, %x, %r) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.return
}
// CHECK:      remark[TW0771]: the parts that @join joins are copied: the result is an argument that others may see
func.func @no_output(%x: memref<16xf32>, %y: memref<32xf32>) {
  %a = loop.alloc : memref<16xf32>
  func.call @double(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%a, %x, %y) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.return
}
// CHECK:      remark[TW0771]: the parts that @join joins are copied: the result is an argument that is read before
func.func @read_before(%y: memref<32xf32> {tw.output}) {
  %a = loop.alloc : memref<16xf32>
  %x = loop.view %y[64] : memref<32xf32> to memref<16xf32>
  %b = loop.alloc : memref<16xf32>
  func.call @double(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @double(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%b, %a, %y) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.return
}
// CHECK:      remark[TW0771]: the parts that @join joins are copied: the result is not allocated beside the call
func.func @in_a_larger_one(%n: index, %x: memref<16xf32>) {
  %t = loop.alloc (%n) : memref<?xf32>
  %r = loop.view %t[0] : memref<?xf32> to memref<32xf32>
  %a = loop.alloc : memref<16xf32>
  func.call @double(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%a, %x, %r) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.return
}
// CHECK:      remark[TW0771]: the parts that @join joins are copied: the result is written elsewhere too
func.func @written_later(%x: memref<16xf32>, %y: memref<32xf32> {tw.output}) {
  %a = loop.alloc : memref<16xf32>
  func.call @double(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%a, %x, %y) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  %first = loop.view %y[0] : memref<32xf32> to memref<16xf32>
  func.call @double(%x, %first) : (memref<16xf32>, memref<16xf32>) -> ()
  func.return
}
// CHECK:      remark[TW0771]: the parts that @join joins are copied: a part lies in the result already
func.func @in_itself(%x: memref<16xf32>, %y: memref<32xf32> {tw.output}) {
  %a = loop.alloc : memref<16xf32>
  %b = loop.view %y[0] : memref<32xf32> to memref<16xf32>
  func.call @double(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%a, %b, %y) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.return
}

// CASE remarks: why a part cannot be made in the result.
// CHECK:      remark[TW0770]: 1 of 2 parts that @join joins, 64 bytes, are written in place
// CHECK:      remark[TW0771]: part 2 of what @join joins is copied: it is not known where it lies
func.func @part_of_something(%n: index, %x: memref<16xf32>, %y: memref<32xf32> {tw.output}) {
  %a = loop.alloc : memref<16xf32>
  %t = loop.alloc : memref<64xf32>
  %b = loop.view %t[%n * 64] : memref<64xf32> to memref<16xf32>
  func.call @double(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @double(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%a, %b, %y) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.return
}
// CHECK:      remark[TW0770]: 1 of 2 parts that @join joins, 64 bytes, are written in place
// CHECK:      remark[TW0771]: part 1 of what @join joins is copied: it is written again after it was joined
func.func @written_again(%x: memref<16xf32>, %y: memref<32xf32> {tw.output}) {
  %a = loop.alloc : memref<16xf32>
  %b = loop.alloc : memref<16xf32>
  func.call @double(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @double(%x, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%a, %b, %y) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.call @double(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.return
}
