// RUN: not opt-tool --pass "unroll{factor=0}" %s 2>&1 | filecheck %s

// CASE errs: no loop is that short.
// CHECK: error[TW0202]: pass 'unroll': expected a factor of at least 1, but got 0
func.func private @f() { func.return }
