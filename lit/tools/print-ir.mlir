// RUN: opt-tool --pass "lower-te,dead-code,lower-blocks" --print-ir-after-change=full %s 2>&1 | filecheck %s --check-prefix CHANGE
// RUN: opt-tool --pass "lower-te,dead-code,lower-blocks" --print-ir-after-change %s -o /dev/null 2>&1 | filecheck %s --check-prefix DIFF
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
// ERR: total          self   share
// ERR: {{^ .*}}%  parse
// ERR: {{^ .*}}%  passes
// ERR: {{^ .*}}%    phase 0
// ERR: {{^ .*}}%      lower-te
// ERR: {{^ .*}}%      instruments ×{{[0-9]+}}
// ERR: {{^ .*}}%      verification
// ERR: {{^ .*}}%    phase 1
// ERR: {{^ .*}}%      lower-blocks
// ERR: {{^ .*}}%  output
// ERR: ms 100.0 %  total
// DIFF:      // ----- IR after lower-te ----- //
// DIFF-NEXT: --- main before
// DIFF-NEXT: +++ main after
// DIFF-NEXT: @@ {{.*}} @@
// DIFF-NEXT: -func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
// DIFF:      +  loop.for %i = 0 to 8 {
// DIFF:      // ----- IR after dead-code: no change ----- //
// DIFF-NEXT: // ----- IR after lower-blocks ----- //
// DIFF:      -    loop.block "y" (%vi = spatial(%i) in 8) {
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = te.compute "y" [%i to 8] -> tensor<8xf32> {
    %a = te.read %x[%i] : tensor<8xf32>
    te.yield %a : f32
  }
  func.return %y : tensor<8xf32>
}
