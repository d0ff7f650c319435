// RUN: opt-tool --validate --pass lower-te,lower-blocks,simplify,cse --target none %s 2>&1 | filecheck %s --check-prefix RIGHT
// RUN: not opt-tool --load %S/Inputs/wrong_passes.py --validate=3 --pass simplify,wrong-value,cse --target none %s 2>&1 | filecheck %s --check-prefix VALUE
// RUN: not opt-tool --load %S/Inputs/wrong_passes.py --validate --pass wrong-order --target none %s 2>&1 | filecheck %s --check-prefix ORDER
// RUN: opt-tool --load %S/Inputs/wrong_passes.py --bisect --pass simplify,wrong-value,cse --target none %s | filecheck %s --check-prefix BISECT
// RUN: not opt-tool --bisect --pass simplify,cse --target none %s 2>&1 | filecheck %s --check-prefix NOTHING
// RUN: opt-tool --load %S/Inputs/wrong_passes.py --validate --rewrite-limit 2 --pass lower-te,lower-blocks,wrong-value --target none %s 2>&1 | filecheck %s --check-prefix LIMIT
// RUN: not opt-tool --run-reproducer %s 2>&1 | filecheck %s --check-prefix NORECIPE
// RUN: not opt-tool --validate %s 2>&1 | filecheck %s --check-prefix EMPTY
// RUN: not opt-tool --validate=0 %s 2>&1 | filecheck %s --check-prefix ZERO

// RIGHT: validated 1 functions, 0 small versions
// RIGHT: machine code of 1 functions compared; not compared: 0
// VALUE: error[TW0550]: pass 'wrong-value' changed what @sum computes: output 0 at [0]: expected
// VALUE: note: the inputs are in
// ORDER: error[TW0550]: pass 'wrong-order' changed what @sum computes
// BISECT: the first bad pass is number 4, 'wrong-value'
// BISECT: error[TW0550]
// BISECT: the first bad rewrite is number 2 of 3 in this pass: _SubtractsSecond on arith.addf
// BISECT: --rewrite-limit
// NOTHING: error[TW0554]: all 4 passes keep what the module computes
// LIMIT: rewrite 2: _SubtractsSecond on arith.addf
// LIMIT: validated 1 functions
// NORECIPE: error[TW0553]
// EMPTY: validated 0 functions: no pass ran
// EMPTY-NEXT: machine code of 0 functions compared; not compared: 1
// EMPTY-NEXT: the module is at level te; --phase 3 takes it down
// EMPTY-NEXT: error[TW0223]: expected validation to run something, but no function was run and compared
// ZERO: error[TW0209]: expected --validate to be at least 1, but got 0

func.func @sum(%a: tensor<16xf32>, %b: tensor<16xf32>, %c: tensor<16xf32>, %d: tensor<16xf32>) -> tensor<16xf32> {
  %s = te.compute "s" [%i to 16] -> tensor<16xf32> {
    %0 = te.read %a[%i] : tensor<16xf32>
    %1 = te.read %b[%i] : tensor<16xf32>
    %2 = te.read %c[%i] : tensor<16xf32>
    %3 = te.read %d[%i] : tensor<16xf32>
    %4 = arith.addf %0, %1 : f32
    %5 = arith.addf %4, %2 : f32
    %6 = arith.addf %5, %3 : f32
    te.yield %6 : f32
  }
  func.return %s : tensor<16xf32>
}
