// RUN: opt-tool --pass vectorize --remarks %s 2>&1 | filecheck %s

// CHECK: remarks.mlir:{{[0-9]+}}:{{[0-9]+}}: remark[TW0510]: loop %i is not vectorised: its iterations depend on one another through %A
func.func @scan(%A: memref<9xf32>) {
  loop.for %i = 0 to 8 kind vectorized {
    %a = loop.load %A[%i] : memref<9xf32>
    loop.store %a, %A[%i + 1] : memref<9xf32>
  }
  func.return
}
