// RUN: ROUNDTRIP
// RUN: opt-tool --phase 3 %s | filecheck %s --check-prefix PHASES

// CHECK:       loop.print "A[{}, {}] = {}" (%i, %i * 2) %a : f32
// CHECK-NEXT:  loop.print "i: {}" () %i where (%i < 3) : index

// Nothing removes a line, or moves it out of the loop.
// PHASES:      loop.for %i = 0 to 4
// PHASES:      loop.print "A[{}, {}] = {}" (%i, %i * 2) {{%[^ ]+}} : f32
// PHASES-NEXT: loop.print "i: {}" () %i where (%i < 3) : index
// PHASES-NEXT: loop.print "constant: {}" () {{%[^ ]+}} : f32
func.func @main(%A: memref<4xf32>) {
  %one = arith.constant 1.0 : f32
  loop.for %i = 0 to 4 {
    %a = loop.load %A[%i] : memref<4xf32>
    loop.print "A[{}, {}] = {}" (%i, %i * 2) %a : f32
    loop.print "i: {}" () %i where (%i < 3) : index
    loop.print "constant: {}" () %one : f32
  }
  func.return
}
