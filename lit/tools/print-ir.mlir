// RUN: opt-tool --pass "lower-te,dead-code,lower-blocks" --print-ir-after-change %s 2>&1 | filecheck %s --check-prefix CHANGE
// RUN: opt-tool --pass "lower-te,lower-blocks" --print-ir-before lower-te --print-ir-after lower-te %s 2>&1 | filecheck %s --check-prefix AROUND
// RUN: opt-tool --pass "lower-te,lower-blocks" --print-ir-after-all --timing %s 2>%t.err | filecheck %s --check-prefix OUT
// RUN: cat %t.err | filecheck %s --check-prefix ERR

// CHANGE: // ----- IR after lower-te ----- //
// CHANGE: loop.block
// CHANGE: // ----- IR after dead-code: no change ----- //
// CHANGE: // ----- IR after lower-blocks ----- //
// AROUND: // ----- IR before lower-te ----- //
// AROUND: te.compute
// AROUND: // ----- IR after lower-te ----- //
// AROUND: loop.block
// AROUND-NOT: // -----
// Only IR goes to standard output.
// OUT-NOT: // -----
// OUT-NOT: ms
// OUT: builtin.module
// ERR: // ----- IR after lower-te ----- //
// ERR: // ----- IR after lower-blocks ----- //
// ERR: ms {{ *[0-9.]+}} %  lower-te
// ERR: ms 100.0 %  total
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = te.compute "y" [%i to 8] -> tensor<8xf32> {
    %a = te.read %x[%i] : tensor<8xf32>
    te.yield %a : f32
  }
  func.return %y : tensor<8xf32>
}
