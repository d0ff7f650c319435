// RUN: %prove "sed s/addf/addf/" %s 2>&1 | filecheck %s --check-prefix SAME
// RUN: not %prove "sed s/addf/subf/" --save %t.saved %s 2>&1 | filecheck %s --check-prefix WRONG
// RUN: not tilewright prove %t.saved/1-sed-s-addf-subf.before.mlir %t.saved/1-sed-s-addf-subf.after.mlir | filecheck %s --check-prefix AGAIN
// RUN: not %prove "sed s/addf" %s 2>&1 | filecheck %s --check-prefix FAILS

// SAME: note: 'sed' prints no module between passes; its output is compared as one step
// SAME: sed s/addf/addf/: unchanged
// WRONG: sed s/addf/subf/: refuted
// WRONG-NEXT: @twice: refuted in {{.*}} s: at x_dim0 = 1, {{(.*, )?}}element [0]
// WRONG-NEXT: before: addf(x[0], x[0])
// WRONG-NEXT: after: subf(x[0], x[0])
// WRONG: error[TW0250]: sed s/addf/subf/ of sed changed what @twice computes: %x[0] differs at x_dim0 = 1
// AGAIN: @twice: refuted
// FAILS: error[TW0249]: sed fails on '{{.*}}foreign-passes.mlir'

func.func @twice(%x: memref<?xf32>) {
  %zero = arith.constant 0 : index
  %n = memref.dim %x, %zero : memref<?xf32>
  affine.for %i = 0 to %n {
    %0 = affine.load %x[%i] : memref<?xf32>
    %1 = arith.addf %0, %0 : f32
    affine.store %1, %x[%i] : memref<?xf32>
  }
  return
}
