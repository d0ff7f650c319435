// RUN: opt-tool --pass sink-allocations --remarks %s 2>&1 | filecheck %s

// CASE remarks: what one iteration touches has no constant extent: the buffer stays as long as it was.
// CHECK: remark[TW0520]: dimension 0 of a buffer keeps its extent: no box of constant extent
// CHECK: loop.alloc (%n) : memref<?xf32>
func.func private @rows(%A: memref<8x?xf32>, %n: index, %z: f32) {
  %t = loop.alloc (%n) : memref<?xf32>
  loop.for %i = 0 to 8 kind parallel {
    loop.for %j = 0 to %n {
      loop.store %z, %t[%j] : memref<?xf32>
    }
    loop.for %j = 0 to %n {
      %v = loop.load %t[%j] : memref<?xf32>
      loop.store %v, %A[%i, %j] : memref<8x?xf32>
    }
  }
  func.return
}
