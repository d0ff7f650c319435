// RUN: not opt-tool --load %S/Inputs/wrong_passes.py --validate --reproducer %t.mlir --pass simplify,wrong-value --target none %s 2>&1 | filecheck %s --check-prefix FIRST
// RUN: cat %t.mlir | filecheck %s --check-prefix FILE
// RUN: not opt-tool --run-reproducer --load %S/Inputs/wrong_passes.py %t.mlir 2>&1 | filecheck %s --check-prefix AGAIN
// RUN: not opt-tool --load %S/Inputs/wrong_passes.py --reproducer %t.mlir --pass lower-te,crashing --target none %s 2>&1 | filecheck %s --check-prefix CRASH
// RUN: not opt-tool --run-reproducer --load %S/Inputs/wrong_passes.py %t.mlir 2>&1 | filecheck %s --check-prefix CRASH
// RUN: not opt-tool --load %S/Inputs/wrong_passes.py --reproducer %t.mlir --pass invalid-ir --target none %s 2>&1 | filecheck %s --check-prefix INVALID
// RUN: not opt-tool --run-reproducer --load %S/Inputs/wrong_passes.py %t.mlir 2>&1 | filecheck %s --check-prefix INVALID

// FIRST: error[TW0550]
// FILE: // tilewright reproducer pipeline: "wrong-value"
// FILE-NEXT: // tilewright reproducer failure: "TW0550: pass 'wrong-value' changed what @sum computes
// FILE: // tilewright reproducer versions: {"tilewright":
// FILE: loop.for
// AGAIN: reproducing TW0550: pass 'wrong-value' changed what @sum computes
// AGAIN: error[TW0550]: pass 'wrong-value' changed what @sum computes
// CRASH: wrong_passes.py:{{.*}}: error[TW0224]: this code, which is not the compiler's, failed: ZeroDivisionError
// INVALID: error[TW0107]: pass 'invalid-ir' left invalid IR

func.func @sum(%a: tensor<16xf32>, %b: tensor<16xf32>) -> tensor<16xf32> {
  %s = te.compute "s" [%i to 16] -> tensor<16xf32> {
    %0 = te.read %a[%i] : tensor<16xf32>
    %1 = te.read %b[%i] : tensor<16xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %0 : f32
    %6 = arith.addf %5, %1 : f32
    te.yield %6 : f32
  }
  func.return %s : tensor<16xf32>
}
