// RUN: not opt-tool --pass "partition-blocks{ranges=2}" %s 2>&1 | filecheck %s

// CASE errs: there is nothing to choose.
// CHECK: error[TW0202]: pass 'partition-blocks' has no option 'ranges'
func.func private @f() { func.return }
