// RUN: opt-tool --pass check-bounds --remarks %s 2>&1 | filecheck %s

// CASE remarks: it says how much is checked.
// CHECK: remark[TW0546]: of 3 accesses in @gather 2 stay inside their buffers, 1 are checked
func.func @gather(%A: memref<8xf32>, %I: memref<4xi32>, %C: memref<4xf32>) {
  loop.for %i = 0 to 4 {
    %0 = loop.load %I[%i] : memref<4xi32>
    %k = arith.index_cast %0 : i32 to index
    %a = loop.load %A[%k] : memref<8xf32>
    loop.store %a, %C[%i] : memref<4xf32>
  }
  func.return
}
