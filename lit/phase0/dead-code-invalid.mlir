// RUN: not opt-tool --pass "dead-code{functions=false}" %s 2>&1 | filecheck %s

// CASE errs: there is nothing to choose.
// CHECK: error[TW0202]: pass 'dead-code' has no option 'functions'
func.func @f() { func.return }
