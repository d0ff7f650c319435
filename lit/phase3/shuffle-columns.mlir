// RUN: opt-tool --pass assign-memory-spaces,shuffle-columns --target "llvm -mcpu=x86-64-v3" %s | filecheck %s

// CASE fires: lanes are at the same position of eight chunks.
// CHECK-LABEL: func.func @column(
// CHECK:         loop.load %r[lane * 8 + %{{.*}}] attributes {tw.column = 8 : i64} : memref<64xf32, "register">, vector<8xf32>
func.func @column(%x: memref<64xf32>, %y: memref<64xf32> {tw.output}) {
  %r = loop.alloc : memref<64xf32, "register">
  loop.for %u = 0 to 8 kind unrolled {
    %v = loop.load %x[%u * 8 + lane] : memref<64xf32>, vector<8xf32>
    loop.store %v, %r[%u * 8 + lane] : vector<8xf32>, memref<64xf32, "register">
  }
  loop.for %u = 0 to 8 kind unrolled {
    %v = loop.load %r[%u + lane * 8] : memref<64xf32, "register">, vector<8xf32>
    loop.store %v, %y[%u * 8 + lane] : vector<8xf32>, memref<64xf32>
  }
  func.return
}

// CASE leaves alone: rows, lanes at different positions, and buffers in memory.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:     tw.column
func.func @rows(%y: memref<64xf32> {tw.output}) {
  %r = loop.alloc : memref<64xf32, "register">
  %m = loop.alloc : memref<64xf32, "local">
  %row = loop.load %r[lane] : memref<64xf32, "register">, vector<8xf32>
  %odd = loop.load %r[lane * 7] : memref<64xf32, "register">, vector<8xf32>
  %far = loop.load %m[lane * 8] : memref<64xf32, "local">, vector<8xf32>
  func.return
}
