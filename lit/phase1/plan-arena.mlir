// RUN: opt-tool --pass plan-arena --split-input-file %s | filecheck %s

// CASE fires: buffers that do not live at the same time share bytes; a view keeps its buffer alive; a kernel's
// buffers become an argument before its outputs, and a slice of the arena for the time of each call.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %arena = loop.alloc : memref<576xi8>
// CHECK-NEXT:    %a = loop.view %arena[0] : memref<576xi8> to memref<1x64xf32>
// CHECK-NEXT:    %b = loop.view %arena[256] : memref<576xi8> to memref<64xf32>
// CHECK-NEXT:    %c = loop.view %arena[0] : memref<576xi8> to memref<1x64xf32>
// CHECK-NEXT:    %b_view = loop.view %b[0] : memref<64xf32> to memref<1x64xf32>
// CHECK-NEXT:    %[[W0:.*]] = loop.view %arena[256] : memref<576xi8> to memref<64xi8>
// CHECK-NEXT:    func.call @k(%x, %[[W0]], %a)
// CHECK-NEXT:    %[[W1:.*]] = loop.view %arena[512] : memref<576xi8> to memref<64xi8>
// CHECK-NEXT:    func.call @k(%a, %[[W1]], %b_view)
// CHECK-NEXT:    %[[W2:.*]] = loop.view %arena[512] : memref<576xi8> to memref<64xi8>
// CHECK-NEXT:    func.call @k(%b_view, %[[W2]], %c)
// CHECK-NEXT:    %[[W3:.*]] = loop.view %arena[256] : memref<576xi8> to memref<64xi8>
// CHECK-NEXT:    func.call @k(%c, %[[W3]], %y)
// CHECK-LABEL: func.func private @k
// CHECK-SAME:      (%x: memref<1x64xf32>, %workspace: memref<64xi8> {tw.workspace}, %y: memref<1x64xf32> {tw.output})
// CHECK-NEXT:    loop.for %i = 0 to 8 {
// CHECK-NEXT:      %t = loop.view %workspace[0] : memref<64xi8> to memref<8xf32>
func.func @main(%x: memref<1x64xf32> {tw.name = "x"}, %y: memref<1x64xf32> {tw.name = "y", tw.output}) {
  %a = loop.alloc : memref<1x64xf32>
  %b = loop.alloc : memref<64xf32>
  %c = loop.alloc : memref<1x64xf32>
  %b_view = loop.view %b[0] : memref<64xf32> to memref<1x64xf32>
  func.call @k(%x, %a) : (memref<1x64xf32>, memref<1x64xf32>) -> ()
  func.call @k(%a, %b_view) : (memref<1x64xf32>, memref<1x64xf32>) -> ()
  func.call @k(%b_view, %c) : (memref<1x64xf32>, memref<1x64xf32>) -> ()
  func.call @k(%c, %y) : (memref<1x64xf32>, memref<1x64xf32>) -> ()
  func.return
}
func.func private @k(%x: memref<1x64xf32>, %y: memref<1x64xf32> {tw.output}) {
  loop.for %i = 0 to 8 {
    %t = loop.alloc : memref<8xf32>
    loop.for %j = 0 to 8 {
      %v = loop.load %x[0, %i * 8 + %j] : memref<1x64xf32>
      loop.store %v, %t[7 - %j] : memref<8xf32>
    }
    loop.for %j = 0 to 8 {
      %v = loop.load %t[%j] : memref<8xf32>
      loop.store %v, %y[0, %i * 8 + %j] : memref<1x64xf32>
    }
  }
  func.return
}

// -----

// A private function that nobody calls has a separate arena.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    func.call @k(%x, %n) : (memref<64xf32>, index) -> ()
// CHECK-LABEL: func.func private @k(%x: memref<64xf32>, %n: index) {
// CHECK-NEXT:    %symbolic = loop.alloc (%n) : memref<?xf32>
// CHECK-NEXT:    %stack = loop.alloc : memref<4xf32, "local">
// CHECK-NEXT:    loop.for %i = 0 to 8 kind parallel {
// CHECK-NEXT:      %own = loop.alloc : memref<4xf32>
// CHECK-LABEL: func.func private @uncalled
// CHECK-NEXT:    %arena = loop.alloc : memref<64xi8>
// CHECK-NEXT:    %t = loop.view %arena[0] : memref<64xi8> to memref<4xf32>
func.func @main(%x: memref<64xf32>, %n: index) {
  func.call @k(%x, %n) : (memref<64xf32>, index) -> ()
  func.return
}

// CASE leaves alone: what each parallel iteration needs for itself, sizes that are not known, other scopes.
func.func private @k(%x: memref<64xf32>, %n: index) {
  %symbolic = loop.alloc (%n) : memref<?xf32>
  %stack = loop.alloc : memref<4xf32, "local">
  loop.for %i = 0 to 8 kind parallel {
    %own = loop.alloc : memref<4xf32>
    %a = loop.load %x[%i] : memref<64xf32>
    loop.store %a, %own[0] : memref<4xf32>
    loop.store %a, %stack[0] : memref<4xf32, "local">
    loop.store %a, %symbolic[0] : memref<?xf32>
  }
  func.return
}
func.func private @uncalled(%x: memref<64xf32>) {
  %t = loop.alloc : memref<4xf32>
  %a = loop.load %x[0] : memref<64xf32>
  loop.store %a, %t[0] : memref<4xf32>
  func.return
}

// -----

// CASE fires: needs pass through the functions in between.
// CHECK-LABEL: func.func @main
// CHECK-NEXT:    %arena = loop.alloc : memref<128xi8>
// CHECK-NEXT:    %workspace = loop.view %arena[0] : memref<128xi8> to memref<128xi8>
// CHECK-NEXT:    func.call @outer(%x, %workspace) : (memref<4xf32>, memref<128xi8>) -> ()
// CHECK-LABEL: func.func private @outer(%x: memref<4xf32>, %workspace: memref<128xi8> {tw.workspace}) {
// CHECK-NEXT:    %t = loop.view %workspace[64] : memref<128xi8> to memref<4xf32>
// CHECK:         %workspace_1 = loop.view %workspace[0] : memref<128xi8> to memref<64xi8>
// CHECK-NEXT:    func.call @inner(%x, %workspace_1)
// CHECK:         func.call @consume(%t)
func.func @main(%x: memref<4xf32>) {
  func.call @outer(%x) : (memref<4xf32>) -> ()
  func.return
}
func.func private @outer(%x: memref<4xf32>) {
  %t = loop.alloc : memref<4xf32>
  %a = loop.load %x[0] : memref<4xf32>
  loop.store %a, %t[0] : memref<4xf32>
  func.call @inner(%x) : (memref<4xf32>) -> ()
  func.call @consume(%t) : (memref<4xf32>) -> ()
  func.return
}
func.func private @inner(%x: memref<4xf32>) {
  %t = loop.alloc : memref<4xf32>
  %a = loop.load %x[0] : memref<4xf32>
  loop.store %a, %t[0] : memref<4xf32>
  func.return
}
func.func private @consume(%x: memref<4xf32>) {
  func.return
}

// -----

// CASE fires: the view says whose the elements are, as the buffer did.
// CHECK-LABEL: func.func @owners
// CHECK-NEXT:    %arena = loop.alloc : memref<384xi8>
// CHECK-NEXT:    %s = loop.view %arena[256] attributes {tw.owner = "block"} : memref<384xi8> to memref<4x8xf32>
// CHECK-NEXT:    %r = loop.view %arena[0] attributes {tw.owner = "thread"} : memref<384xi8> to memref<4x8x2xf32>
// CHECK-NEXT:    loop.for %b
func.func @owners(%x: memref<4x8xf32>, %y: memref<4x8xf32> {tw.output}) {
  %s = loop.alloc attributes {tw.owner = "block"} : memref<4x8xf32>
  %r = loop.alloc attributes {tw.owner = "thread"} : memref<4x8x2xf32>
  loop.for %b = 0 to 4 kind thread<"blockIdx.x"> {
    loop.for %t = 0 to 8 kind thread<"threadIdx.x"> {
      %v = loop.load %x[%b, %t] : memref<4x8xf32>
      loop.store %v, %s[%b, %t] : memref<4x8xf32>
      loop.store %v, %r[%b, %t, 0] : memref<4x8x2xf32>
      %u = loop.load %r[%b, %t, 0] : memref<4x8x2xf32>
      %w = loop.load %s[%b, %t] : memref<4x8xf32>
      %z = arith.addf %u, %w : f32
      loop.store %z, %y[%b, %t] : memref<4x8xf32>
    }
  }
  func.return
}

// -----

// CASE fires: buffers of several symbolic sizes are numbered parts of one allocation, and equal ones the same part.
// CHECK-LABEL: func.func @main
// CHECK:         %[[M:.*]] = arith.maxsi
// CHECK:         %[[N:.*]] = arith.maxsi
// CHECK:         %[[E:.*]] = arith.muli
// CHECK-NEXT:    %[[FIRST:.*]] = loop.apply (((%[[E]] + 15) floordiv 16) * 64) : index
// CHECK-NEXT:    %[[BOTH:.*]] = loop.apply (((%[[E]] + 15) floordiv 16) * 64 + %[[FIRST]]) : index
// CHECK-NEXT:    %symbolic_arena = loop.alloc (%[[BOTH]]) : memref<?xi8>
// CHECK-NEXT:    %a = loop.view %symbolic_arena[0] attributes {tw.slot = 0 : i64} : memref<?xi8> to memref<?x?xf32>
// CHECK-NEXT:    loop.bind %a shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
// CHECK-NEXT:    %b = loop.view %symbolic_arena[%[[FIRST]]] attributes {tw.slot = 1 : i64} : memref<?xi8> to memref<?x?xf32>
// CHECK-NEXT:    loop.bind %b shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
// CHECK-NEXT:    %c = loop.view %symbolic_arena[0] attributes {tw.slot = 0 : i64} : memref<?xi8> to memref<?x?xf32>
func.func @main(%x: memref<?x?xf32> {tw.name = "x"}, %y: memref<?x?xf32> {tw.name = "y", tw.output}) {
  %n = loop.dim %x, 0 : memref<?x?xf32>
  %m = loop.dim %x, 1 : memref<?x?xf32>
  loop.bind %x shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  loop.bind %y shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  %a = loop.alloc (%n, %m) : memref<?x?xf32>
  %b = loop.alloc (%n, %m) : memref<?x?xf32>
  %c = loop.alloc (%n, %m) : memref<?x?xf32>
  func.call @k(%x, %a) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  func.call @k(%a, %b) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  func.call @k(%b, %c) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  func.call @k(%c, %y) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  func.return
}
func.func private @k(%x: memref<?x?xf32>, %y: memref<?x?xf32> {tw.output}) {
  %n = loop.dim %x, 0 : memref<?x?xf32>
  %m = loop.dim %x, 1 : memref<?x?xf32>
  loop.bind %x shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  loop.bind %y shape [%n, %m] strides [%m, 1] : memref<?x?xf32>
  loop.for %i = 0 to %n {
    loop.for %j = 0 to %m {
      %v = loop.load %x[%i, %j] : memref<?x?xf32>
      loop.store %v, %y[%i, %j] : memref<?x?xf32>
    }
  }
  func.return
}
