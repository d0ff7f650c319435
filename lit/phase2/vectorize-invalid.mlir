// RUN: not opt-tool --pass "vectorize{width=1}" --target none %s 2>&1 | filecheck %s

// CASE errs: one lane is no vector.
// CHECK: error[TW0202]: pass 'vectorize': expected a width of at least 2, but got 1
func.func private @f() { func.return }
