// RUN: opt-tool --pass parallelize --remarks %s 2>&1 | filecheck %s

// CASE remarks: each iteration reads what the one before wrote, in the buffer that is named.
// CHECK: remark[TW0221]: loop %i stays serial: its iterations depend on one another through %A
func.func private @running(%A: memref<64xf32>) {
  loop.for %i = 0 to 63 {
    loop.block "A" (%vi = spatial(%i) in 63) {
      %a = loop.load %A[%vi] : memref<64xf32>
      loop.store %a, %A[%vi + 1] : memref<64xf32>
    }
  }
  func.return
}

// CASE remarks: nothing is long enough.
// CHECK: remark[TW0221]: loop %j stays serial: no serial loop of its nest has 2 iterations or more
func.func private @short(%A: memref<1xf32>, %B: memref<1xf32>) {
  loop.for %j = 0 to 1 {
    loop.block "B" (%vj = spatial(%j) in 1) {
      %a = loop.load %A[%vj] : memref<1xf32>
      loop.store %a, %B[%vj] : memref<1xf32>
    }
  }
  func.return
}
