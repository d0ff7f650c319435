// RUN: opt-tool --pass vectorize-lookups --no-auto-lower --verify-diagnostics --target none %s

// CASE errs: lookups stand in loops, which a compute has not become yet.
// expected-error @unknown {{pass 'vectorize-lookups' works at level loop, but the module is at level te}}
func.func @square(%X: tensor<4xi32>) -> tensor<4xi32> {
  %r = te.compute "square" [%i to 4] -> tensor<4xi32> {
    %x = te.read %X[%i] : tensor<4xi32>
    %p = loop.call_intrin "dot4_u8s8"(%x, %x) : (i32, i32) -> i32
    te.yield %p : i32
  }
  func.return %r : tensor<4xi32>
}
