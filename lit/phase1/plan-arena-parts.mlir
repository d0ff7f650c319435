// RUN: opt-tool --pass plan-arena --validate --split-input-file --target none %s | filecheck %s

// CASE fires: parts are written directly into their slice of the result, in the caller's array at the end of a chain of
// joins; arguments, constants and parts that are already in it are copied. A join that copies nothing is removed.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %w = loop.constant
// CHECK-NEXT:    %r = loop.view %z[0] : memref<112xf32> to memref<32xf32>
// CHECK-NEXT:    %a = loop.view %z[0] : memref<112xf32> to memref<16xf32>
// CHECK-NEXT:    %b = loop.view %z[64] : memref<112xf32> to memref<16xf32>
// CHECK-NEXT:    func.call @double(%w, %a)
// CHECK-NEXT:    func.call @double(%a, %b)
// CHECK-NEXT:    %[[S0:.*]] = loop.view %z[128] : memref<112xf32> to memref<16xf32>
// CHECK-NEXT:    func.call @copy(%w, %[[S0]])
// CHECK-NEXT:    %[[S1:.*]] = loop.view %z[192] : memref<112xf32> to memref<32xf32>
// CHECK-NEXT:    func.call @copy_1(%r, %[[S1]])
// CHECK-NEXT:    %[[S2:.*]] = loop.view %z[320] : memref<112xf32> to memref<32xf32>
// CHECK-NEXT:    func.call @copy_1(%x, %[[S2]])
// CHECK-NEXT:    func.call @reverse(%r, %y)
// CHECK-NEXT:    func.return
// CHECK-NOT:   @join
// CHECK:       func.func private @copy(%part: memref<16xf32>, %slice: memref<16xf32> {tw.output})
// CHECK:       func.func private @copy_1(%part: memref<32xf32>, %slice: memref<32xf32> {tw.output})
func.func @main(%x: memref<32xf32> {tw.name = "x"}, %y: memref<32xf32> {tw.name = "y", tw.output}, %z: memref<112xf32> {tw.name = "z", tw.output}) {
  %w = loop.constant dense<1.0> : memref<16xf32>
  %a = loop.alloc : memref<16xf32>
  %b = loop.alloc : memref<16xf32>
  %r = loop.alloc : memref<32xf32>
  func.call @double(%w, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @double(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%a, %b, %r) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.call @join4(%r, %w, %r, %x, %z) : (memref<32xf32>, memref<16xf32>, memref<32xf32>, memref<32xf32>, memref<112xf32>) -> ()
  func.call @reverse(%r, %y) : (memref<32xf32>, memref<32xf32>) -> ()
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
func.func private @reverse(%x: memref<32xf32>, %y: memref<32xf32> {tw.output}) {
  loop.for %i = 0 to 32 {
    %v = loop.load %x[31 - %i] : memref<32xf32>
    loop.store %v, %y[%i] : memref<32xf32>
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
func.func private @join4(%a: memref<32xf32>, %b: memref<16xf32>, %c: memref<32xf32>, %d: memref<32xf32>, %y: memref<112xf32> {tw.output}) {
  loop.for %i = 0 to 112 {
    %zero = arith.constant 0.0 : f32
    %p = loop.load %d[%i - 80] where (%i >= 80) else %zero : memref<32xf32>
    %q = loop.load %c[%i - 48] where (%i >= 48, %i < 80) else %p : memref<32xf32>
    %r = loop.load %b[%i - 32] where (%i >= 32, %i < 48) else %q : memref<16xf32>
    %s = loop.load %a[%i] where (%i < 32) else %r : memref<32xf32>
    loop.store %s, %y[%i] : memref<112xf32>
  }
  func.return
}

// -----

// CASE fires: a result whose parts all lie in a later one lies there too, whoever joined them.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %arena = loop.alloc : memref<192xi8>
// CHECK-NEXT:    %t = loop.view %arena[0] : memref<192xi8> to memref<48xf32>
// CHECK-NEXT:    %s = loop.view %t[0] : memref<48xf32> to memref<32xf32>
// CHECK-NEXT:    %a = loop.view %t[0] : memref<48xf32> to memref<16xf32>
// CHECK-NEXT:    %b = loop.view %t[64] : memref<48xf32> to memref<16xf32>
// CHECK-NEXT:    %c = loop.view %t[128] : memref<48xf32> to memref<16xf32>
// CHECK-NEXT:    func.call @fill(%x, %a)
// CHECK-NEXT:    func.call @fill(%a, %b)
// CHECK-NEXT:    func.call @sum(%s, %c)
// CHECK-NEXT:    func.call @sum3(%t, %y)
func.func @main(%x: memref<16xf32> {tw.name = "x"}, %y: memref<16xf32> {tw.name = "y", tw.output}) {
  %a = loop.alloc : memref<16xf32>
  %b = loop.alloc : memref<16xf32>
  %s = loop.alloc : memref<32xf32>
  %c = loop.alloc : memref<16xf32>
  %t = loop.alloc : memref<48xf32>
  func.call @fill(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @fill(%a, %b) : (memref<16xf32>, memref<16xf32>) -> ()
  func.call @join(%a, %b, %s) : (memref<16xf32>, memref<16xf32>, memref<32xf32>) -> ()
  func.call @sum(%s, %c) : (memref<32xf32>, memref<16xf32>) -> ()
  func.call @join3(%a, %b, %c, %t) : (memref<16xf32>, memref<16xf32>, memref<16xf32>, memref<48xf32>) -> ()
  func.call @sum3(%t, %y) : (memref<48xf32>, memref<16xf32>) -> ()
  func.return
}
func.func private @fill(%x: memref<16xf32>, %y: memref<16xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    %v = loop.load %x[15 - %i] : memref<16xf32>
    %d = arith.addf %v, %v : f32
    loop.store %d, %y[%i] : memref<16xf32>
  }
  func.return
}
func.func private @sum(%x: memref<32xf32>, %y: memref<16xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    %a = loop.load %x[%i] : memref<32xf32>
    %b = loop.load %x[%i + 16] : memref<32xf32>
    %c = arith.addf %a, %b : f32
    loop.store %c, %y[%i] : memref<16xf32>
  }
  func.return
}
func.func private @sum3(%x: memref<48xf32>, %y: memref<16xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    %a = loop.load %x[%i] : memref<48xf32>
    %b = loop.load %x[%i + 16] : memref<48xf32>
    %c = arith.addf %a, %b : f32
    %d = loop.load %x[%i + 32] : memref<48xf32>
    %e = arith.addf %c, %d : f32
    loop.store %e, %y[%i] : memref<16xf32>
  }
  func.return
}
func.func private @join(%a: memref<16xf32>, %b: memref<16xf32>, %y: memref<32xf32> {tw.output}) {
  loop.for %i = 0 to 2 {
    loop.for %j = 0 to 16 {
      %zero = arith.constant 0.0 : f32
      %p = loop.load %b[%j] where (%i >= 1) else %zero : memref<16xf32>
      %q = loop.load %a[%j] where (%i < 1) else %p : memref<16xf32>
      loop.store %q, %y[%i * 16 + %j] : memref<32xf32>
    }
  }
  func.return
}
func.func private @join3(%a: memref<16xf32>, %b: memref<16xf32>, %c: memref<16xf32>, %y: memref<48xf32> {tw.output}) {
  loop.for %i = 0 to 16 {
    %v = loop.load %a[%i] : memref<16xf32>
    loop.store %v, %y[%i] : memref<48xf32>
  }
  loop.for %i = 0 to 16 {
    %v = loop.load %b[%i] : memref<16xf32>
    loop.store %v, %y[%i + 16] : memref<48xf32>
  }
  loop.for %i = 0 to 16 {
    %v = loop.load %c[%i] : memref<16xf32>
    loop.store %v, %y[%i + 32] : memref<48xf32>
  }
  func.return
}

// -----

// CASE fires: parts that do not start at a multiple of 64 bytes, and one that is written again, are computed elsewhere
// and copied; results that somebody else writes, reads as a part, or may know by another name are joined as before.
// CHECK-LABEL: func.func @unaligned
// CHECK:         %a = loop.view %arena[0] : memref<64xi8> to memref<8xf32>
// CHECK-NEXT:    %b = loop.view %y[64] : memref<24xf32> to memref<8xf32>
// CHECK:         func.call @copy(%x, %{{.*}})
// CHECK-NEXT:    %[[S:.*]] = loop.view %y[32] : memref<24xf32> to memref<8xf32>
// CHECK-NEXT:    func.call @copy(%a, %[[S]])
// CHECK:       func.func @written_again
// CHECK:         %a = loop.view %arena[0] : memref<64xi8> to memref<8xf32>
// CHECK-NEXT:    %b = loop.view %y[0] : memref<24xf32> to memref<8xf32>
// CHECK:         func.call @copy(%x, %{{.*}})
// CHECK-NEXT:    %[[S:.*]] = loop.view %y[64] : memref<24xf32> to memref<8xf32>
// CHECK-NEXT:    func.call @copy(%a, %[[S]])
// CHECK:       func.func @written_before
// CHECK:         func.call @join
// CHECK:       func.func @written_twice
// CHECK-COUNT-2: func.call @join
// CHECK:       func.func @in_itself
// CHECK:         func.call @join
// CHECK:       func.func private @inner(
// CHECK:         func.call @join
func.func @unaligned(%x: memref<8xf32>, %y: memref<24xf32> {tw.output}) {
  %a = loop.alloc : memref<8xf32>
  %b = loop.alloc : memref<8xf32>
  func.call @fill(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @fill(%a, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @join(%x, %a, %b, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<24xf32>) -> ()
  func.return
}
func.func @written_again(%x: memref<8xf32>, %y: memref<24xf32> {tw.output}, %z: memref<8xf32> {tw.output}) {
  %a = loop.alloc : memref<8xf32>
  %b = loop.alloc : memref<8xf32>
  func.call @fill(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @fill(%x, %b) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @join(%b, %x, %a, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<24xf32>) -> ()
  func.call @fill(%b, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @fill(%a, %z) : (memref<8xf32>, memref<8xf32>) -> ()
  func.return
}
func.func @written_before(%x: memref<8xf32>, %y: memref<24xf32> {tw.output}) {
  %a = loop.alloc : memref<8xf32>
  loop.for %i = 0 to 24 {
    %v = loop.load %x[0] : memref<8xf32>
    loop.store %v, %y[%i] : memref<24xf32>
  }
  func.call @fill(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @join(%a, %x, %x, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<24xf32>) -> ()
  func.return
}
// Two calls fill one result: neither may be early.
func.func @written_twice(%x: memref<8xf32>, %y: memref<24xf32> {tw.output}) {
  %a = loop.alloc : memref<8xf32>
  %r = loop.alloc : memref<24xf32>
  func.call @fill(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @join(%x, %x, %x, %r) : (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<24xf32>) -> ()
  func.call @sum(%r, %y) : (memref<24xf32>, memref<24xf32>) -> ()
  func.call @join(%a, %x, %x, %r) : (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<24xf32>) -> ()
  func.call @sum(%r, %y) : (memref<24xf32>, memref<24xf32>) -> ()
  func.return
}
// A part lies in the result, and is written over while it is read.
func.func @in_itself(%x: memref<8xf32>, %y: memref<24xf32> {tw.output}) {
  %a = loop.alloc : memref<8xf32>
  %b = loop.view %y[64] : memref<24xf32> to memref<8xf32>
  func.call @fill(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @join(%a, %b, %x, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<24xf32>) -> ()
  func.return
}
// A function that others call does not know what else its arguments are.
func.func private @inner(%x: memref<8xf32>, %y: memref<24xf32> {tw.output}) {
  %a = loop.alloc : memref<8xf32>
  func.call @fill(%x, %a) : (memref<8xf32>, memref<8xf32>) -> ()
  func.call @join(%a, %x, %x, %y) : (memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<24xf32>) -> ()
  func.return
}
func.func private @fill(%x: memref<8xf32>, %y: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %v = loop.load %x[7 - %i] : memref<8xf32>
    %d = arith.addf %v, %v : f32
    loop.store %d, %y[%i] : memref<8xf32>
  }
  func.return
}
func.func private @sum(%x: memref<24xf32>, %y: memref<24xf32> {tw.output}) {
  loop.for %i = 0 to 24 {
    %v = loop.load %x[%i] : memref<24xf32>
    %w = loop.load %y[%i] : memref<24xf32>
    %d = arith.addf %v, %w : f32
    loop.store %d, %y[%i] : memref<24xf32>
  }
  func.return
}
func.func private @join(%a: memref<8xf32>, %b: memref<8xf32>, %c: memref<8xf32>, %y: memref<24xf32> {tw.output}) {
  loop.for %i = 0 to 24 {
    %zero = arith.constant 0.0 : f32
    %p = loop.load %c[%i - 16] where (%i >= 16) else %zero : memref<8xf32>
    %q = loop.load %b[%i - 8] where (%i >= 8, %i < 16) else %p : memref<8xf32>
    %r = loop.load %a[%i] where (%i < 8) else %q : memref<8xf32>
    loop.store %r, %y[%i] : memref<24xf32>
  }
  func.return
}
