// RUN: not opt-tool --pass fuze %s 2>&1 | filecheck %s --check-prefix UNKNOWN
// RUN: not opt-tool --pass "tile{size=32}" %s 2>&1 | filecheck %s --check-prefix OPTION
// RUN: not opt-tool --pass "tile{sizes=a}" %s 2>&1 | filecheck %s --check-prefix VALUE
// RUN: not opt-tool --pass "tile{sizes=32" %s 2>&1 | filecheck %s --check-prefix MALFORMED
// RUN: not opt-tool --pass tile --no-auto-lower %s 2>&1 | filecheck %s --check-prefix LOWER
// RUN: not opt-tool --pass lower-te,fold-constant %s 2>&1 | filecheck %s --check-prefix RAISE
// RUN: not opt-tool --pas tile %s 2>&1 | filecheck %s --check-prefix ARGUMENT

// UNKNOWN: error[TW0201]: unknown pass 'fuze'; did you mean 'fuse'?
// OPTION: error[TW0202]: pass 'tile' has no option 'size'; did you mean 'sizes'?
// VALUE: error[TW0202]: option 'sizes' of pass 'tile': expected tuple[int, ...], but got a
// MALFORMED: error[TW0203]: pass pipeline 'tile{sizes=32' cannot be read at character 14
// LOWER: error[TW0205]: pass 'tile' works at level block, but the module is at level te
// LOWER-NEXT: help: run it without --no-auto-lower, or name the conversions
// RAISE: error[TW0205]: pass 'fold-constant' works at level graph, but the module is at level block
// RAISE-NEXT: help: conversions go down only
// ARGUMENT: error[TW0209]: opt-tool: unknown argument '--pas'; did you mean '--pass'
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = te.compute "y" [%i to 8] -> tensor<8xf32> {
    %a = te.read %x[%i] : tensor<8xf32>
    te.yield %a : f32
  }
  func.return %y : tensor<8xf32>
}
