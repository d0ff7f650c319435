// RUN: opt-tool --pass convert-memref --split-input-file %s | filecheck %s

// CASE fires: views are folded into accesses; buffers live as long as their region.
// CHECK-LABEL: func.func @view(
// CHECK-NEXT:    %[[T:.*]] = loop.alloc : memref<16x16xf32>
// CHECK-NEXT:    %[[V:.*]] = loop.load %[[T]][%i + %j, %j * 2 + 4] : memref<16x16xf32>
// CHECK-NEXT:    loop.store %[[V]], %r[] : memref<f32>
// CHECK-NEXT:    func.return
func.func @view(%i: index, %j: index, %r: memref<f32>) {
  %t = memref.alloc() {alignment = 64 : i64} : memref<16x16xf32>
  %s = memref.subview %t[%i, 4] [4, 4] [1, 2] : memref<16x16xf32> to memref<4x4xf32, strided<[16, 2], offset: ?>>
  %v = memref.load %s[%j, %j] : memref<4x4xf32, strided<[16, 2], offset: ?>>
  memref.store %v, %r[] : memref<f32>
  memref.dealloc %t : memref<16x16xf32>
  return
}

// -----

// CASE fires: a constant global is a constant, a copy a nest around a block.
// CHECK-NOT:   memref.global
// CHECK-LABEL: func.func @constants(
// CHECK-NEXT:    %[[W:.*]] = loop.constant dense<[1, 2, 3]> : memref<3xi32>
// CHECK-NEXT:    loop.for %[[I:.*]] = 0 to 3 {
// CHECK-NEXT:      loop.block "copy" (%[[V:.*]] = spatial(%[[I]]) in 3) {
// CHECK-NEXT:        %[[E:.*]] = loop.load %[[W]][%[[V]]] : memref<3xi32>
// CHECK-NEXT:        loop.store %[[E]], %A[%[[V]]] : memref<3xi32>
memref.global "private" constant @w : memref<3xi32> = dense<[1, 2, 3]>
func.func @constants(%A: memref<3xi32>) {
  %w = memref.get_global @w : memref<3xi32>
  memref.copy %w, %A : memref<3xi32> to memref<3xi32>
  return
}

// -----

// CASE leaves alone: loops and accesses of the loop dialect.
func.func @ours(%A: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    %a = loop.load %A[%i] : memref<4xf32>
    loop.store %a, %A[%i] : memref<4xf32>
  }
  return
}
func.func @theirs(%A: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = memref.load %A[%c0] : memref<4xf32>
  memref.store %a, %A[%c0] : memref<4xf32>
  return
}

// -----

// CASE fires: the offset and the strides of a view count from the buffer that it lies in.
// CHECK-LABEL: func.func @metadata(
// CHECK:         loop.apply (%i * 16 + 2) : index
// CHECK:         arith.constant 32 : index
func.func @metadata(%A: memref<8x16xf32>, %i: index, %n: memref<2xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.subview %A[%i, 2] [2, 4] [2, 1] : memref<8x16xf32> to memref<2x4xf32, strided<[32, 1], offset: ?>>
  %b, %o, %s:2, %t:2 = memref.extract_strided_metadata %v : memref<2x4xf32, strided<[32, 1], offset: ?>> -> memref<f32>, index, index, index, index, index
  memref.store %o, %n[%c0] : memref<2xindex>
  memref.store %t#0, %n[%c1] : memref<2xindex>
  return
}
