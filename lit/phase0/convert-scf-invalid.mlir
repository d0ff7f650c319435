// RUN: opt-tool --pass convert-scf --split-input-file --verify-diagnostics %s

// CASE errs: how often a while loop runs is not known before it.
func.func @while(%n: index) -> index {
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{TW0573: expected a loop that counts, but 'scf.while' ends by a condition}}
  %r = scf.while (%a = %c1) : (index) -> index {
    %c = arith.cmpi slt, %a, %n : index
    scf.condition(%c) %a : index
  } do {
  ^bb0(%b: index):
    %d = arith.addi %b, %b : index
    scf.yield %d : index
  }
  return %r : index
}

// -----

func.func @carried(%A: memref<4xf32>, %B: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error@+1 {{TW0571: expected numbers, indices and vectors of one dimension of 'scf.for', but got memref<4xf32>}}
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%m = %A) -> (memref<4xf32>) {
    scf.yield %B : memref<4xf32>
  }
  return
}
