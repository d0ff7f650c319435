// RUN: opt-tool --pass remove-no-op %s | filecheck %s

// CASE fires: what is stored was there before, or is never read.
// CHECK-LABEL: func.func private @nothing(
// CHECK-NEXT:    func.return
func.func private @nothing(%A: memref<8xf32>) {
  %t = loop.alloc : memref<8xf32>
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i] : memref<8xf32>
    loop.store %a, %A[%i] : memref<8xf32>
    loop.store %a, %t[%i] : memref<8xf32>
    loop.if (%i < 4) { } else { }
  }
  func.return
}

// CASE fires: a loop that carries values along unchanged; an empty first branch.
// CHECK-LABEL: func.func private @carried(
// CHECK-NEXT:    loop.for %i = 0 to 8 {
// CHECK-NEXT:      loop.if (%i >= 4) {
// CHECK-NEXT:        loop.store %s, %A[%i] : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func private @carried(%s: f32, %A: memref<8xf32>) {
  %r = loop.for %k = 0 to 3 iter_args(%a = %s) -> (f32) {
    %b = loop.load %A[%k] : memref<8xf32>
    loop.yield %a : f32
  }
  loop.for %i = 0 to 8 {
    loop.if (%i < 4) { } else { loop.store %r, %A[%i] : memref<8xf32> }
  }
  func.return
}

// CASE leaves alone: another store lies between; the load was guarded differently; the buffer is read.
// CHECK-LABEL: func.func private @something(
// CHECK-COUNT-5: loop.store
// CHECK:         func.return
func.func private @something(%s: f32, %A: memref<8xf32>, %C: memref<8xf32>) {
  %t = loop.alloc : memref<8xf32>
  loop.for %i = 0 to 8 {
    %a = loop.load %A[%i] : memref<8xf32>
    loop.store %s, %A[7] : memref<8xf32>
    loop.store %a, %A[%i] : memref<8xf32>
    %c = loop.load %C[%i] where (%i < 4) else %s : memref<8xf32>
    loop.store %c, %C[%i] : memref<8xf32>
    loop.store %c, %t[%i] : memref<8xf32>
    %b = loop.load %t[0] : memref<8xf32>
    loop.store %b, %C[0] : memref<8xf32>
  }
  func.return
}

// CASE leaves alone: of what an operation gives one result is used, or another.
// CHECK-LABEL: func.func @one_of_two(
// CHECK: %p, %q = loop.delinearize %n into (%m, 4)
func.func @one_of_two(%A: memref<4xf32>, %n: index, %m: index) {
  %p, %q = loop.delinearize %n into (%m, 4)
  %a = loop.load %A[%q] : memref<4xf32>
  loop.store %a, %A[0] : memref<4xf32>
  func.return
}
