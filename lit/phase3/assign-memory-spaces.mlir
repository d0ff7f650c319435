// RUN: opt-tool --pass assign-memory-spaces --target "llvm -mcpu=x86-64-v3" --split-input-file %s | filecheck %s
// RUN: opt-tool --pass assign-memory-spaces --target c --split-input-file %s | filecheck %s --check-prefix C

// CASE fires: registers in chunks of the widest access, small buffers on the stack, those of the entry in the arena.
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    tw.arena_bytes = 320 : i64
// CHECK-NEXT:    %a = loop.alloc attributes {tw.place = #loop.place<arena 0>} : memref<65xi8>
// CHECK-NEXT:    %b = loop.alloc attributes {tw.place = #loop.place<arena 128>} : memref<48xf32>
// CHECK-NEXT:    %c = loop.alloc attributes {tw.place = #loop.place<stack>} : memref<16xf32, "local">
// CHECK-NEXT:    %r = loop.alloc attributes {tw.place = #loop.place<register 8>} : memref<32xf32, "register">
// CHECK-NEXT:    %d = loop.alloc (%n) attributes {tw.place = #loop.place<heap>} : memref<?xf32>
func.func @main(%n: index, %y: memref<8xf32> {tw.output}) {
  %a = loop.alloc : memref<65xi8>
  %b = loop.alloc : memref<48xf32>
  %c = loop.alloc : memref<16xf32, "local">
  %r = loop.alloc : memref<32xf32, "register">
  %d = loop.alloc (%n) : memref<?xf32>
  %v = loop.load %r[lane + 8] : memref<32xf32, "register">, vector<8xf32>
  loop.store %v, %y[lane] : vector<8xf32>, memref<8xf32>
  func.return
}

// -----

// CASE fires: a member of a team has memory for what is too large for a stack, and hands some on to what it calls.
// CHECK-LABEL: func.func private @callee(
// CHECK-SAME:    tw.thread_bytes = 131072 : i64
// CHECK-NEXT:    loop.for
// CHECK-NEXT:      loop.alloc attributes {tw.place = #loop.place<thread 0>} : memref<32768xf32, "local">
// C-LABEL: func.func private @callee(
// C-NOT:     tw.thread_bytes
// C:         loop.alloc attributes {tw.place = #loop.place<heap>} : memref<32768xf32, "local">
func.func private @callee(%y: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 2 kind parallel {
    %t = loop.alloc : memref<32768xf32, "local">
  }
  func.return
}
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    tw.thread_bytes = 262144 : i64
// CHECK:           loop.alloc attributes {tw.place = #loop.place<thread 0>} : memref<32768xf32>
// CHECK-NEXT:      func.call @callee(%y) {tw.place = #loop.place<thread 131072>}
func.func @main(%y: memref<8xf32> {tw.output}) {
  loop.for %i = 0 to 2 kind parallel {
    %t = loop.alloc : memref<32768xf32>
    func.call @callee(%y) : (memref<8xf32>) -> ()
  }
  func.return
}

// -----

builtin.module attributes {tw.target = #target.opencl} {
  // CASE leaves alone: kernels of a device, whose scopes say where buffers lie.
  // CHECK-LABEL: func.func @kernel(
  // CHECK-NOT:     tw.place
  func.func @kernel(%y: memref<8xf32> {tw.output}) {
    loop.for %i = 0 to 8 kind thread<"threadIdx.x"> {
      %t = loop.alloc : memref<4xf32, "local">
    }
    func.return
  }
}
