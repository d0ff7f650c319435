// RUN: opt-tool --validate=symbolic --pass lower-blocks,simplify,cse --target none %s 2>&1 | filecheck %s --check-prefix RIGHT
// RUN: not opt-tool --load %S/Inputs/wrong_bounds.py --validate=symbolic --pass lower-blocks,last-four --target none %s 2>&1 | filecheck %s --check-prefix WRONG
// RUN: opt-tool --load %S/Inputs/wrong_bounds.py --validate --pass lower-blocks,beyond-sixteen --target none %s 2>&1 | filecheck %s --check-prefix SAMPLED
// RUN: not opt-tool --load %S/Inputs/wrong_bounds.py --validate=symbolic --pass lower-blocks,beyond-sixteen --target none %s 2>&1 | filecheck %s --check-prefix BEYOND
// RUN: opt-tool --load %S/Inputs/wrong_bounds.py --bisect --pass lower-blocks,beyond-sixteen --target none %s | filecheck %s --check-prefix BISECT
// RUN: not opt-tool --load %S/Inputs/wrong_bounds.py --bisect --validate=sampled --pass lower-blocks,beyond-sixteen --target none %s 2>&1 | filecheck %s --check-prefix NOTHING
// RUN: not opt-tool --load %S/Inputs/wrong_bounds.py --validate=both --reproducer %t.mlir --pass lower-blocks,beyond-sixteen --target none %s 2>&1 | filecheck %s --check-prefix BEYOND
// RUN: not opt-tool --run-reproducer --load %S/Inputs/wrong_bounds.py %t.mlir 2>&1 | filecheck %s --check-prefix AGAIN
// RUN: not opt-tool --validate=proved --pass cse --target none %s 2>&1 | filecheck %s --check-prefix WORD

// RIGHT: pass {{.*}}functions  verdict  seconds
// RIGHT: lower-blocks {{.*}}1  proved
// RIGHT: functions after passes: proved {{[1-9]}}, bounded 0, unknown 0, refuted 0;
// WRONG: error[TW0241]: pass 'last-four' changed what @rows computes: %B[{{.*}}] differs at n =
// WRONG: note: before: addf(
// WRONG: note: after: B[
// WRONG: note: the interpreter finds {{.*}} before and {{.*}} after
// SAMPLED: validated 1 functions
// BEYOND: error[TW0241]: pass 'beyond-sixteen' changed what @rows computes: %B[16, 0] differs at n = 17
// BEYOND: note: the interpreter finds
// BISECT: the first bad pass is number 2, 'beyond-sixteen'
// BISECT: error[TW0241]
// BISECT: the first bad rewrite is number 1 of 2 in this pass: Ends on loop.for
// NOTHING: error[TW0554]: all 2 passes keep what the module computes
// AGAIN: reproducing TW0241: pass 'beyond-sixteen' changed what @rows computes
// AGAIN: error[TW0241]: pass 'beyond-sixteen'
// WORD: error[TW0209]: expected --validate to be sampled, symbolic, both, a number of trials, or one of each with a comma between, but got 'proved'

func.func @rows(%A: memref<?x4xf32>, %B: memref<?x4xf32> {tw.output}) {
  %n = loop.dim %A, 0 : memref<?x4xf32>
  loop.bind %A shape [%n, 4] strides [4, 1] : memref<?x4xf32>
  loop.bind %B shape [%n, 4] strides [4, 1] : memref<?x4xf32>
  loop.for %i = 0 to %n {
    loop.for %j = 0 to 4 {
      loop.block "B" (%vi = spatial(%i) in %n, %vj = spatial(%j) in 4) {
        %a = loop.load %A[%vi, %vj] : memref<?x4xf32>
        %b = arith.addf %a, %a : f32
        loop.store %b, %B[%vi, %vj] : memref<?x4xf32>
      }
    }
  }
  func.return
}
