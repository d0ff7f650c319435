// RUN: opt-tool --pass relax-guards %s | filecheck %s

// CASE fires: the tail of a register tile: computed whole, loads masked, each by the condition that it needs.
// CHECK-LABEL: func.func @tile
// CHECK:         loop.for %ii = 0 to 6 kind unrolled {
// CHECK-NEXT:      loop.for %ji = 0 to 16 kind unrolled {
// CHECK-NEXT:        loop.store %{{.*}}, %acc[%ii, %ji] : memref<6x16xf32, "register">
// CHECK:             %a = loop.load %A[%io * 6 + %[[I:.*]], %k] where (%io * 6 + %[[I]] < 95) else %zero{{.*}} : memref<95x8xf32>
// CHECK-NEXT:        %b = loop.load %B[%k, %jo * 16 + %[[J:.*]]] where (%jo * 16 + %[[J]] < 60) else %zero{{.*}} : memref<8x60xf32>
// CHECK-NEXT:        %c = loop.load %acc[%[[I]], %[[J]]] : memref<6x16xf32, "register">
// CHECK-NEXT:        %s = math.fma %a, %b, %c : f32
// CHECK-NEXT:        loop.store %s, %acc[%[[I]], %[[J]]] : memref<6x16xf32, "register">
// The store to the argument keeps its guard.
// CHECK:             loop.if (%io * 6 + %{{.*}} < 95, %jo * 16 + %{{.*}} < 60) {
// CHECK-NEXT:          loop.load %acc
// CHECK-NEXT:          loop.store %{{.*}}, %C
func.func @tile(%A: memref<95x8xf32>, %B: memref<8x60xf32>, %C: memref<95x60xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %io = 0 to 16 kind parallel { loop.for %jo = 0 to 4 {
    %acc = loop.alloc : memref<6x16xf32, "register">
    loop.for %ii = 0 to 6 kind unrolled { loop.for %ji = 0 to 16 kind unrolled {
      loop.if (%io * 6 + %ii < 95, %jo * 16 + %ji < 60) {
        loop.store %z, %acc[%ii, %ji] : memref<6x16xf32, "register">
      } } }
    loop.for %k = 0 to 8 { loop.for %ii = 0 to 6 kind unrolled { loop.for %ji = 0 to 16 kind unrolled {
      loop.if (%io * 6 + %ii < 95, %jo * 16 + %ji < 60) {
        %a = loop.load %A[%io * 6 + %ii, %k] : memref<95x8xf32>
        %b = loop.load %B[%k, %jo * 16 + %ji] : memref<8x60xf32>
        %c = loop.load %acc[%ii, %ji] : memref<6x16xf32, "register">
        %s = math.fma %a, %b, %c : f32
        loop.store %s, %acc[%ii, %ji] : memref<6x16xf32, "register">
      } } } }
    loop.for %ii = 0 to 6 kind unrolled { loop.for %ji = 0 to 16 kind unrolled {
      loop.if (%io * 6 + %ii < 95, %jo * 16 + %ji < 60) {
        %c = loop.load %acc[%ii, %ji] : memref<6x16xf32, "register">
        loop.store %c, %C[%io * 6 + %ii, %jo * 16 + %ji] : memref<95x60xf32>
      } } }
  } }
  func.return
}

// The tail of a reduction writes elements that other instances write: it keeps its condition, and the first instance too.
// CHECK-LABEL: func.func @reduction_tail
// CHECK:         loop.for %ki = 0 to 4 {
// CHECK-NEXT:      loop.for %i = 0 to 8 {
// CHECK-NEXT:        loop.if (%ko * 4 + %ki < 10) {
// CHECK-NEXT:          loop.if (%ko * 4 + %ki < 1) {
// CHECK:               loop.load %A[%io * 8 + %i, %ko * 4 + %ki] where (%io * 8 + %i < 10) else
func.func @reduction_tail(%A: memref<10x10xf32>, %C: memref<10xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %io = 0 to 2 {
    %t = loop.alloc : memref<8xf32, "local">
    loop.for %ko = 0 to 3 { loop.for %ki = 0 to 4 { loop.for %i = 0 to 8 {
      loop.if (%io * 8 + %i < 10, %ko * 4 + %ki < 10) {
        loop.if (%ko * 4 + %ki < 1) { loop.store %z, %t[%i] : memref<8xf32, "local"> }
        %a = loop.load %A[%io * 8 + %i, %ko * 4 + %ki] : memref<10x10xf32>
        %b = loop.load %t[%i] : memref<8xf32, "local">
        %s = arith.addf %a, %b : f32
        loop.store %s, %t[%i] : memref<8xf32, "local">
      } } } }
    loop.for %i = 0 to 8 { loop.if (%io * 8 + %i < 10) {
      %s = loop.load %t[%i] : memref<8xf32, "local">
      loop.store %s, %C[%io * 8 + %i] : memref<10xf32>
    } }
  }
  func.return
}

// CASE leaves alone: nothing is dropped: another store writes all elements; the store would leave the buffer; an added
// instance could divide by zero; bounds would be made of what was loaded; the `else` would be lost.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-5: loop.if
func.func @kept(%A: memref<10xi32>, %I: memref<10xindex>) {
  %z = arith.constant 0 : i32
  %all = loop.alloc : memref<16xi32>
  loop.for %i = 0 to 16 { loop.store %z, %all[%i] : memref<16xi32> }
  loop.for %i = 0 to 16 { loop.if (%i < 10) {
    %a = loop.load %A[%i] : memref<10xi32>
    loop.store %a, %all[%i] : memref<16xi32>
  } }
  %tight = loop.alloc : memref<10xi32>
  loop.for %i = 0 to 16 { loop.if (%i < 10) {
    %a = loop.load %A[%i] : memref<10xi32>
    loop.store %a, %tight[%i] : memref<10xi32>
  } }
  %quotients = loop.alloc : memref<16xi32>
  loop.for %i = 0 to 16 { loop.if (%i < 10) {
    %a = loop.load %A[%i] : memref<10xi32>
    %q = arith.divsi %a, %a : i32
    loop.store %q, %quotients[%i] : memref<16xi32>
  } }
  %counts = loop.alloc : memref<16xi32>
  loop.for %i = 0 to 16 { loop.if (%i < 10) {
    %n = loop.load %I[%i] : memref<10xindex>
    loop.for %j = 0 to %n { loop.store %z, %counts[%i] : memref<16xi32> }
  } }
  %either = loop.alloc : memref<16xi32>
  loop.for %i = 0 to 16 { loop.if (%i < 10) {
    loop.store %z, %either[%i] : memref<16xi32>
  } else {
    loop.store %z, %either[0] : memref<16xi32>
  } }
  func.return
}

// CASE fires: an element of an argument that is found through a loaded index is loaded under the whole condition.
// CHECK-LABEL: func.func @gather
// CHECK-NOT:     loop.if
// CHECK:         %n = loop.load %I[%i] where (%i < 10) else %{{.*}} : memref<10xindex>
// CHECK-NEXT:    %a = loop.load %A[%n] where (%i < 10) else %{{.*}} : memref<10xf32>
func.func @gather(%A: memref<10xf32>, %I: memref<10xindex>) {
  %t = loop.alloc : memref<16xf32>
  loop.for %i = 0 to 16 { loop.if (%i < 10) {
    %n = loop.load %I[%i] : memref<10xindex>
    %a = loop.load %A[%n] : memref<10xf32>
    loop.store %a, %t[%i] : memref<16xf32>
  } }
  func.return
}

// CASE fires: conditions one inside the other: the load gets what it needs of both.
// CHECK-LABEL: func.func @nested
// CHECK-NOT:     loop.if
// CHECK:         %a = loop.load %A[%i, %j] where (%i < 10, %j < 5) else %zero : memref<10x5xf32>
// CHECK-NEXT:    %b = loop.load %B[%j] where (%j < 5) else %zero : memref<5xf32>
func.func @nested(%A: memref<10x5xf32>, %B: memref<5xf32>) {
  %t = loop.alloc : memref<16x8xf32>
  loop.for %i = 0 to 16 { loop.if (%i < 10) { loop.for %j = 0 to 8 { loop.if (%j < 5) {
    %a = loop.load %A[%i, %j] : memref<10x5xf32>
    %b = loop.load %B[%j] : memref<5xf32>
    %c = arith.addf %a, %b : f32
    loop.store %c, %t[%i, %j] : memref<16x8xf32>
  } } } }
  func.return
}

// CASE fires: rows of a flat buffer: the condition is on a digit of the index. A tail that would run into the next row
// keeps its own.
// CHECK-LABEL: func.func @flat
// CHECK:         loop.load %A[%i * 5 + %j] where (%i < 10, %j < 5) else %zero : memref<50xf32>
// CHECK-NEXT:    loop.store %{{.*}}, %wide[%i * 8 + %j] : memref<128xf32>
// CHECK:         loop.if (%{{.*}} < 5) {
// CHECK-NEXT:      loop.load
// CHECK-NEXT:      loop.store %{{.*}}, %tight[%{{.*}} * 5 + %{{.*}}] : memref<88xf32>
func.func @flat(%A: memref<50xf32>) {
  %wide = loop.alloc : memref<128xf32>
  %tight = loop.alloc : memref<88xf32>
  loop.for %i = 0 to 16 { loop.for %j = 0 to 8 { loop.if (%i < 10, %j < 5) {
    %a = loop.load %A[%i * 5 + %j] : memref<50xf32>
    loop.store %a, %wide[%i * 8 + %j] : memref<128xf32>
  } } }
  loop.for %i = 0 to 10 { loop.for %j = 0 to 8 { loop.if (%j < 5) {
    %a = loop.load %A[%i * 5 + %j] : memref<50xf32>
    loop.store %a, %tight[%i * 5 + %j] : memref<88xf32>
  } } }
  func.return
}

// CASE fires: a read beyond the end of a buffer of the function: the buffer grows, where that is little.
// CHECK-LABEL: func.func @room
// CHECK:         %s = loop.alloc : memref<16xf32>
// CHECK-NOT:     loop.if
// CHECK:         loop.load %s[%{{.*}}] : memref<16xf32>
func.func @room(%A: memref<10xf32>) {
  %s = loop.alloc : memref<10xf32>
  loop.for %i = 0 to 10 {
    %a = loop.load %A[%i] : memref<10xf32>
    loop.store %a, %s[%i] : memref<10xf32>
  }
  %t = loop.alloc : memref<16xf32>
  loop.for %i = 0 to 16 { loop.if (%i < 10) {
    %a = loop.load %s[%i] : memref<10xf32>
    loop.store %a, %t[%i] : memref<16xf32>
  } }
  func.return
}

// CASE fires: sizes known by name only.
// CHECK-LABEL: func.func @symbolic
// CHECK:           %a = loop.load %A[%io * 8 + %i] where (%io * 8 + %i < %n) else %zero : memref<?xf32>
// CHECK-NEXT:      loop.store %a, %t[%i] : memref<8xf32, "local">
func.func @symbolic(%A: memref<?xf32>) {
  %n = loop.dim %A, 0 : memref<?xf32>
  loop.for %io = 0 to (%n + 7) floordiv 8 {
    %t = loop.alloc : memref<8xf32, "local">
    loop.for %i = 0 to 8 { loop.if (%io * 8 + %i < %n) {
      %a = loop.load %A[%io * 8 + %i] : memref<?xf32>
      loop.store %a, %t[%i] : memref<8xf32, "local">
    } }
  }
  func.return
}

// An element of three digits: the guard is stated of each of them.
// CHECK-LABEL: func.func @three_digits
// CHECK:             loop.for %l = 0 to 8 {
// CHECK-NEXT:          %a = loop.load %A[%io * 3 + %i, %v, %l] where (%io * 4 + %v < 130) else %zero{{.*}} : memref<100x4x8xf32>
// CHECK-NEXT:          %s = arith.addf %a, %a : f32
// CHECK-NEXT:          loop.store %s, %acc[%i * 32 + %v * 8 + %l] : memref<96xf32, "local">
func.func @three_digits(%A: memref<100x4x8xf32>, %C: memref<100x4x8xf32>) {
  loop.for %io = 0 to 34 {
    %acc = loop.alloc : memref<96xf32, "local">
    loop.for %i = 0 to 3 { loop.for %v = 0 to 4 { loop.for %l = 0 to 8 {
      loop.if (%io * 4 + %v < 130, %io * 8 + %l < 270) {
        %a = loop.load %A[%io * 3 + %i, %v, %l] : memref<100x4x8xf32>
        %s = arith.addf %a, %a : f32
        loop.store %s, %acc[%i * 32 + %v * 8 + %l] : memref<96xf32, "local">
      } } } }
    loop.for %i = 0 to 3 { loop.for %v = 0 to 4 { loop.for %l = 0 to 8 {
      loop.if (%io * 4 + %v < 130, %io * 8 + %l < 270) {
        %c = loop.load %acc[%i * 32 + %v * 8 + %l] : memref<96xf32, "local">
        loop.store %c, %C[%io * 3 + %i, %v, %l] : memref<100x4x8xf32>
      } } } }
  }
  func.return
}
