// RUN: opt-tool --pass simplify %s | filecheck %s

// CASE fires: conditions and indices are decided by ranges; loops of one iteration leave their body.
// CHECK-LABEL: func.func private @ranges(
// CHECK-NEXT:    loop.for %i = 0 to 4 {
// CHECK-NEXT:      %x = loop.load %X[%i, 0] : memref<4x16xf32>
// CHECK-NEXT:      loop.store %x, %C[%i * 16] : memref<64xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func private @ranges(%X: memref<4x16xf32>, %C: memref<64xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 4 {
    loop.for %j = 0 to 1 {
      %at = loop.apply (%i * 16 + %j) : index
      loop.if (%at < 60) {
        %x = loop.load %X[%at floordiv 16, %at mod 16] where (%i >= 0) else %z : memref<4x16xf32>
        loop.store %x, %C[%at] where (%i + %j < 4) : memref<64xf32>
      } else {
        loop.store %z, %C[0] : memref<64xf32>
      }
    }
  }
  func.return
}

// CASE fires: what never holds goes: the branch, the store, the load (which gives its else value), the loop.
// CHECK-LABEL: func.func private @never(
// CHECK-NEXT:    %z = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    loop.for %i = 0 to 8 {
// CHECK-NEXT:      loop.store %z, %C[%i] : memref<8xf32>
// CHECK-NEXT:      %[[V:.*]] = vector.broadcast %z : f32 to vector<8xf32>
// CHECK-NEXT:      loop.store %[[V]], %C[lane] : vector<8xf32>, memref<8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func private @never(%X: memref<8xf32>, %C: memref<8xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 8 {
    %x = loop.load %X[%i] where (%i >= 8) else %z : memref<8xf32>
    loop.if (%i < 0) { loop.store %x, %C[0] : memref<8xf32> } else { loop.store %x, %C[%i] : memref<8xf32> }
    loop.store %x, %C[%i] where (%i >= 9) : memref<8xf32>
    loop.for %j = 3 to min(%i - 10, 4) { loop.store %x, %C[%j] : memref<8xf32> }
    %v = loop.load %X[lane] where (lane >= 8) else %z : memref<8xf32>, vector<8xf32>
    loop.store %v, %C[lane] where (lane < 8, %i >= 0) : vector<8xf32>, memref<8xf32>
  }
  func.return
}

// CASE fires: bounds that others imply go; a loop that never runs passes its values on.
// CHECK-LABEL: func.func private @bounds(
// CHECK-NEXT:    loop.for %i = 0 to 10 {
// CHECK-NEXT:      loop.for %j = %i * 8 to %i * 8 + 8 {
// CHECK:         loop.store %s, %C[0] : memref<80xf32>
func.func private @bounds(%s: f32, %C: memref<80xf32>) {
  loop.for %i = 0 to 10 {
    loop.for %j = max(%i * 8, 0) to min(%i * 8 + 8, 80) {
      loop.store %s, %C[%j] : memref<80xf32>
    }
  }
  %t = loop.for %i = 4 to 4 iter_args(%a = %s) -> (f32) {
    %n = arith.addf %a, %a : f32
    loop.yield %n : f32
  }
  loop.store %t, %C[0] : memref<80xf32>
  func.return
}

// CASE fires: truth values and choices.
// CHECK-LABEL: func.func private @choices(
// CHECK-NEXT:    loop.for %i = 0 to 8 {
// CHECK-NEXT:      loop.store %a, %C[%i] : memref<8xf32>
// CHECK-NEXT:      loop.store %b, %C[%i] : memref<8xf32>
// CHECK-NEXT:      %[[T:.*]] = loop.test (%i < 4) : i1
// CHECK-NEXT:      %[[S:.*]] = arith.select %[[T]], %a, %b : f32
// CHECK-NEXT:      loop.store %[[S]], %C[%i] : memref<8xf32>
func.func private @choices(%a: f32, %b: f32, %C: memref<8xf32>) {
  loop.for %i = 0 to 8 {
    %t = loop.test (%i >= 0, %i < 8) : i1
    %x = arith.select %t, %a, %b : f32
    loop.store %x, %C[%i] : memref<8xf32>
    %u = loop.test (%i >= 8) : i1
    %y = arith.select %u, %a, %b : f32
    loop.store %y, %C[%i] : memref<8xf32>
    %w = loop.test (%i >= 0, %i < 4) : i1
    %q = arith.select %w, %a, %b : f32
    loop.store %q, %C[%i] : memref<8xf32>
  }
  func.return
}

// CASE fires: identities, on vectors too, and unused values. x + 0.0 is not x where x is -0.0.
// CHECK-LABEL: func.func private @identities(
// CHECK-NEXT:    %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %v0 = vector.broadcast %zero : f32 to vector<4xf32>
// CHECK-NEXT:    %s = arith.addf %v, %v0 : vector<4xf32>
// CHECK-NEXT:    func.return %s, %x : vector<4xf32>, i32
func.func private @identities(%v: vector<4xf32>, %x: i32) -> (vector<4xf32>, i32) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %v1 = vector.broadcast %one : f32 to vector<4xf32>
  %v0 = vector.broadcast %zero : f32 to vector<4xf32>
  %p = arith.mulf %v1, %v : vector<4xf32>
  %d = arith.subf %p, %v0 : vector<4xf32>
  %s = arith.addf %d, %v0 : vector<4xf32>
  %unused = math.exp %s : vector<4xf32>
  %i0 = arith.constant 0 : i32
  %a = arith.addi %i0, %x : i32
  %m = arith.andi %a, %a : i32
  func.return %s, %m : vector<4xf32>, i32
}

// CASE leaves alone: what interval arithmetic cannot know, and loops that stand for threads.
// CHECK-LABEL: func.func private @unknown(
// CHECK-NEXT:    loop.for %i = 0 to %n {
// CHECK-NEXT:      loop.if (%i < 5) {
// CHECK:         loop.for %t = 0 to 1 kind thread<"blockIdx.x"> {
func.func private @unknown(%n: index, %s: f32, %C: memref<?xf32>) {
  loop.for %i = 0 to %n {
    loop.if (%i < 5) { loop.store %s, %C[%i] : memref<?xf32> }
  }
  loop.for %t = 0 to 1 kind thread<"blockIdx.x"> { loop.store %s, %C[0] : memref<?xf32> }
  func.return
}

// CASE fires: a condition around bounds a mod or a floordiv, here to one value, in the branch where it does not hold.
// CHECK-LABEL: func.func private @last_tile(
// CHECK:         } else {
// CHECK-NEXT:      loop.for %g = 0 to 6 {
// CHECK-NEXT:        %b = loop.load %X[%g + 726] where (%g < 3) else %z : memref<729xf32>
// CHECK-NEXT:        loop.store %b, %C[(%i floordiv 122) * 729 + %g + 726] where (%g < 3) : memref<1458xf32>
func.func private @last_tile(%X: memref<729xf32>, %C: memref<1458xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 244 {
    loop.if ((%i mod 122) * 6 < 724) {
      loop.for %h = 0 to 6 {
        %a = loop.load %X[(%i mod 122) * 6 + %h] where ((%i mod 122) * 6 + %h < 729) else %z : memref<729xf32>
        loop.store %a, %C[(%i floordiv 122) * 729 + (%i mod 122) * 6 + %h] : memref<1458xf32>
      }
    } else {
      loop.for %g = 0 to 6 {
        %b = loop.load %X[(%i mod 122) * 6 + %g] where ((%i mod 122) * 6 + %g < 729) else %z : memref<729xf32>
        loop.store %b, %C[(%i floordiv 122) * 729 + (%i mod 122) * 6 + %g] where ((%i mod 122) * 6 + %g < 729)
            : memref<1458xf32>
      }
    }
  }
  func.return
}

// CASE leaves alone: the bound that the condition gives leaves two values of the mod.
// CHECK-LABEL: func.func private @last_two_tiles(
// CHECK:         loop.load %X[(%i mod 122) * 6 + %h] where ((%i mod 122) * 6 + %h < 729) else %z
func.func private @last_two_tiles(%X: memref<729xf32>, %C: memref<729xf32>) {
  %z = arith.constant 0.0 : f32
  loop.for %i = 0 to 244 {
    loop.if ((%i mod 122) * 6 >= 720) {
      loop.for %h = 0 to 6 {
        %a = loop.load %X[(%i mod 122) * 6 + %h] where ((%i mod 122) * 6 + %h < 729) else %z : memref<729xf32>
        loop.store %a, %C[%h] : memref<729xf32>
      }
    }
  }
  func.return
}
